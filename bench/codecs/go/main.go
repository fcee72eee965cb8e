// Measures Kubernetes' own codecs: reads a pod in JSON from standard input, writes for each format a line of JSON with
// the pod in that format and the CPU time that one decoding (with strict errors, as a server does for requests) and one
// encoding take.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
)

type measured struct {
	MediaType string  `json:"mediaType"`
	Body      []byte  `json:"body"`
	DecodeUs  float64 `json:"decodeUs"`
	EncodeUs  float64 `json:"encodeUs"`
}

func main() {
	roundMs := flag.Int("round-ms", 200, "how long one of the rounds takes")
	rounds := flag.Int("rounds", 12, "rounds to take the cheapest of")
	flag.Parse()
	scheme := runtime.NewScheme()
	must(corev1.AddToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme, serializer.WithSerializer(cbor.NewSerializerInfo))
	input, err := io.ReadAll(os.Stdin)
	must(err)
	pod, _, err := codecs.UniversalDeserializer().Decode(input, nil, nil)
	must(err)
	measure := func(work func()) float64 { return leastUs(work, time.Duration(*roundMs)*time.Millisecond, *rounds) }
	out := json.NewEncoder(os.Stdout)
	for _, info := range codecs.SupportedMediaTypes() {
		var body bytes.Buffer
		must(info.Serializer.Encode(pod, &body))
		decode := func() {
			_, _, err := info.StrictSerializer.Decode(body.Bytes(), nil, nil)
			must(err)
		}
		var again bytes.Buffer
		encode := func() {
			again.Reset()
			must(info.Serializer.Encode(pod, &again))
		}
		must(out.Encode(measured{info.MediaType, body.Bytes(), measure(decode), measure(encode)}))
	}
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
