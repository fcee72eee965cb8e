// Answers, one JSON line for one JSON line of standard input, what the reference's libraries make of a CEL expression.
package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	kjson "sigs.k8s.io/json"
)

type variable struct {
	Schema json.RawMessage `json:"schema"`
	Value  json.RawMessage `json:"value"`
	Root   bool            `json:"root"`
}

type request struct {
	Setting    string              `json:"setting"`
	Version    string              `json:"version"`
	Stored     bool                `json:"stored"`
	Expression string              `json:"expression"`
	Variables  map[string]variable `json:"variables"`
	Limit      uint64              `json:"limit"`
	Patch      bool                `json:"patch"`
}

type answer struct {
	Compile string  `json:"compile,omitempty"`
	Program string  `json:"program,omitempty"`
	Type    string  `json:"type,omitempty"`
	Min     string  `json:"min,omitempty"`
	Max     string  `json:"max,omitempty"`
	Result  string  `json:"result,omitempty"`
	Error   string  `json:"error,omitempty"`
	Cost    *uint64 `json:"cost,omitempty"`
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "bench" {
		bench()
		return
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		if err := out.Encode(decide(r)); err != nil {
			panic(err)
		}
	}
}

// sizes finds the declared bounds of a path, as the reference does for the rules of definitions.
type sizes struct{ roots map[string]*apiservercel.DeclType }

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	node := s.roots[path[0]]
	if node == nil {
		return nil
	}
	for _, name := range path[1:] {
		switch name {
		case "@items", "@values":
			node = node.ElemType
		case "@keys":
			node = node.KeyType
		default:
			field, ok := node.Fields[name]
			if !ok {
				return nil
			}
			node = field.Type
		}
		if node == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(node.MaxElements)}
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

type decider struct{}

func (decider) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if a.GetName() == "broken" {
		return authorizer.DecisionNoOpinion, "", errors.New("authorizer is broken")
	}
	asked := fmt.Sprintf("%s %s %s/%s/%s %s/%s %s", a.GetUser().GetName(), a.GetVerb(), a.GetAPIGroup(), a.GetResource(), a.GetSubresource(), a.GetNamespace(), a.GetName(), a.GetPath())
	if a.GetVerb() == "get" {
		return authorizer.DecisionAllow, asked, nil
	}
	return authorizer.DecisionDeny, asked, nil
}

func structural(raw json.RawMessage) *schema.Structural {
	var props apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(raw, &props); err != nil {
		panic(err)
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil); err != nil {
		panic(err)
	}
	s, err := schema.NewStructural(&internal)
	if err != nil {
		panic(err)
	}
	return s
}

func value(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	var v any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &v); err != nil {
		panic(err)
	}
	return v
}

func envOf(r request) (*cel.Env, *sizes, map[string]any) {
	ver := r.Version
	if ver == "" {
		ver = "1.37"
	}
	set := environment.MustBaseEnvSet(version.MustParseGeneric(ver))
	roots := map[string]*apiservercel.DeclType{}
	activation := map[string]any{}
	if env := environmentOf(r.Setting, set); env != nil {
		for name, v := range r.Variables {
			if name == "authorizer" {
				activation[name] = library.NewAuthorizerVal(&user.DefaultInfo{Name: "jane"}, decider{})
				continue
			}
			activation[name] = value(v.Value)
		}
		return env, &sizes{roots}, activation
	}
	names := []string{}
	for name := range r.Variables {
		names = append(names, name)
	}
	sort.Strings(names)
	options := []environment.VersionedOptions{}
	for _, name := range names {
		v := r.Variables[name]
		option := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0)}
		switch {
		case name == "authorizer":
			option.EnvOptions = append(option.EnvOptions, cel.Variable(name, library.AuthorizerType))
			activation[name] = library.NewAuthorizerVal(&user.DefaultInfo{Name: "jane"}, decider{})
		case len(v.Schema) > 0:
			s := structural(v.Schema)
			decl := model.SchemaDeclType(s, v.Root)
			if decl != nil {
				decl = decl.MaybeAssignTypeName("type_" + name)
				roots[name] = decl
				option.EnvOptions = append(option.EnvOptions, cel.Variable(name, decl.CelType()))
				option.DeclTypes = append(option.DeclTypes, decl)
			}
			if v.Root {
				s = model.WithTypeAndObjectMeta(s)
			}
			activation[name] = common.UnstructuredToVal(value(v.Value), &model.Structural{Structural: s})
		default:
			option.EnvOptions = append(option.EnvOptions, cel.Variable(name, cel.DynType))
			activation[name] = value(v.Value)
		}
		options = append(options, option)
	}
	if r.Patch {
		options = append(options, environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: []cel.EnvOption{library.JSONPatch()}})
	}
	set, err := set.Extend(options...)
	if err != nil {
		panic(err)
	}
	env := set.NewExpressionsEnv()
	if r.Stored {
		env = set.StoredExpressionsEnv()
	}
	return env, &sizes{roots}, activation
}

func decide(r request) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{Program: fmt.Sprintf("panic: %v", p)}
		}
	}()
	env, roots, activation := envOf(r)
	ast, issues := env.Compile(r.Expression)
	if issues != nil {
		return answer{Compile: issues.String()}
	}
	a.Type = ast.OutputType().String()
	estimator := &library.CostEstimator{SizeEstimator: roots}
	estimate, err := env.EstimateCost(ast, estimator)
	if err != nil {
		panic(err)
	}
	a.Min, a.Max = strconv.FormatUint(estimate.Min, 10), strconv.FormatUint(estimate.Max, 10)
	limit := r.Limit
	if limit == 0 {
		limit = 1000000
	}
	program, err := env.Program(ast, cel.CostLimit(limit), cel.CostTracking(estimator), cel.InterruptCheckFrequency(100))
	if err != nil {
		a.Program = err.Error()
		return a
	}
	result, details, err := program.ContextEval(context.Background(), activation)
	if details != nil {
		a.Cost = details.ActualCost()
	}
	if err != nil {
		a.Error = err.Error()
		return a
	}
	a.Result = render(result)
	return a
}

func render(v ref.Val) string {
	switch t := v.(type) {
	case types.Int:
		return strconv.FormatInt(int64(t), 10)
	case types.Uint:
		return strconv.FormatUint(uint64(t), 10) + "u"
	case types.Double:
		return "double(" + strconv.FormatFloat(float64(t), 'g', -1, 64) + ")"
	case types.Bool:
		return strconv.FormatBool(bool(t))
	case types.String:
		return strconv.QuoteToASCII(string(t))
	case types.Bytes:
		return "bytes(" + hex.EncodeToString(t) + ")"
	case types.Null:
		return "null"
	case types.Timestamp:
		return "timestamp(" + t.Time.Format(time.RFC3339Nano) + ")"
	case types.Duration:
		return "duration(" + strconv.FormatInt(int64(t.Duration), 10) + ")"
	case *types.Optional:
		if !t.HasValue() {
			return "none"
		}
		return "optional(" + render(t.GetValue()) + ")"
	case *types.Type:
		return "type(" + t.TypeName() + ")"
	case apiservercel.Quantity:
		return "quantity(" + t.Quantity.String() + ")"
	case *apiservercel.Quantity:
		return "quantity(" + t.Quantity.String() + ")"
	case apiservercel.URL:
		return "url(" + t.URL.String() + ")"
	case apiservercel.IP:
		return "ip(" + t.Addr.String() + ")"
	case apiservercel.CIDR:
		return "cidr(" + t.Prefix.String() + ")"
	case apiservercel.Semver:
		return "semver(" + t.Version.String() + ")"
	case apiservercel.Format:
		return "format(" + t.Name + ")"
	case *apiservercel.Format:
		return "format(" + t.Name + ")"
	case traits.Lister:
		parts := []string{}
		for i := types.Int(0); i < t.Size().(types.Int); i++ {
			parts = append(parts, render(t.Get(i)))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case traits.Mapper:
		parts := []string{}
		for it := t.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			if key == nil {
				continue
			}
			parts = append(parts, render(key)+": "+render(t.Get(key)))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case *types.Err:
		return "error(" + t.Error() + ")"
	}
	return "other(" + v.Type().TypeName() + ")"
}

func bench() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		env, roots, activation := envOf(r)
		ast, issues := env.Compile(r.Expression)
		if issues != nil {
			panic(issues.String())
		}
		program, err := env.Program(ast, cel.CostLimit(1000000), cel.CostTracking(&library.CostEstimator{SizeEstimator: roots}), cel.InterruptCheckFrequency(100))
		if err != nil {
			panic(err)
		}
		count := 0
		start := time.Now()
		for time.Since(start) < time.Second {
			for i := 0; i < 1000; i++ {
				if _, _, err := program.ContextEval(context.Background(), activation); err != nil {
					panic(err)
				}
			}
			count += 1000
		}
		fmt.Printf("%.0f\n", float64(count)/time.Since(start).Seconds())
	}
}
