// Measures Kubernetes' own validation rules, which cel-go evaluates: reads cases in JSON from standard input, writes
// for each of them a line of JSON with the CPU time of one evaluation and the number of violations.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"syscall"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

type ruleCase struct {
	Name   string                          `json:"name"`
	Schema apiextensionsv1.JSONSchemaProps `json:"schema"`
	Value  json.RawMessage                 `json:"value"`
	Old    json.RawMessage                 `json:"old"`
}

type measured struct {
	Name       string  `json:"name"`
	Us         float64 `json:"us"`
	Violations int     `json:"violations"`
}

func main() {
	roundMs := flag.Int("round-ms", 200, "how long one of the rounds takes")
	rounds := flag.Int("rounds", 12, "rounds to take the cheapest of")
	flag.Parse()
	input, err := io.ReadAll(os.Stdin)
	must(err)
	var cases []ruleCase
	must(json.Unmarshal(input, &cases))
	out := json.NewEncoder(os.Stdout)
	for _, each := range cases {
		validator := validatorOf(&each.Schema)
		value, old := valueOf(each.Value), valueOf(each.Old)
		violations := 0
		us := leastUs(func() {
			errs, _ := validator.Validate(context.Background(), nil, nil, value, old, celconfig.RuntimeCELCostBudget)
			violations = len(errs)
		}, time.Duration(*roundMs)*time.Millisecond, *rounds)
		must(out.Encode(measured{each.Name, us, violations}))
	}
}

func validatorOf(props *apiextensionsv1.JSONSchemaProps) *cel.Validator {
	var internal apiextensions.JSONSchemaProps
	must(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil))
	structural, err := schema.NewStructural(&internal)
	must(err)
	return cel.NewValidator(structural, false, celconfig.PerCallLimit)
}

// As a server reads objects: integers stay integers.
func valueOf(text json.RawMessage) interface{} {
	if len(text) == 0 {
		return nil
	}
	var value interface{}
	must(utiljson.Unmarshal(text, &value))
	return value
}

func leastUs(work func(), round time.Duration, rounds int) float64 {
	least := math.Inf(1)
	// The first one warms up.
	for index := range rounds + 1 {
		count := 0
		before := cpuTime()
		for start := time.Now(); time.Since(start) < round; {
			for range 10 {
				work()
			}
			count += 10
		}
		if index > 0 {
			least = min(least, float64(cpuTime()-before)/1e3/float64(count))
		}
	}
	return least
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
