// Answers, one JSON line for one JSON line of standard input, what the reference's libraries make of a patch.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	kjson "sigs.k8s.io/json"
)

type request struct {
	Kind     string          `json:"kind"`
	Format   string          `json:"format"`
	Original json.RawMessage `json:"original"`
	Patch    json.RawMessage `json:"patch"`
}

type answer struct {
	Original any      `json:"original,omitempty"`
	Object   any      `json:"object,omitempty"`
	Text     string   `json:"text,omitempty"`
	Shown    string   `json:"shown,omitempty"`
	Error    string   `json:"error,omitempty"`
	Decode   string   `json:"decode,omitempty"`
	Strict   []string `json:"strict,omitempty"`
}

var kinds = map[string]func() any{
	"io.k8s.api.core.v1.Pod":                   func() any { return &corev1.Pod{} },
	"io.k8s.api.core.v1.Service":               func() any { return &corev1.Service{} },
	"io.k8s.api.core.v1.ServiceAccount":        func() any { return &corev1.ServiceAccount{} },
	"io.k8s.api.core.v1.Node":                  func() any { return &corev1.Node{} },
	"io.k8s.api.core.v1.ConfigMap":             func() any { return &corev1.ConfigMap{} },
	"io.k8s.api.core.v1.PersistentVolumeClaim": func() any { return &corev1.PersistentVolumeClaim{} },
	"io.k8s.api.apps.v1.Deployment":            func() any { return &appsv1.Deployment{} },
	"io.k8s.api.networking.v1.Ingress":         func() any { return &networkingv1.Ingress{} },
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": func() any { return &apiextensionsv1.CustomResourceDefinition{} },
}

func main() {
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

func decide(r request) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Error = "panic"
		}
	}()
	switch r.Format {
	case "strategic":
		return strategic(r)
	case "merge":
		patched, err := jsonpatch.MergePatch(r.Original, r.Patch)
		return document(patched, err)
	default:
		patch, err := jsonpatch.DecodePatch(r.Patch)
		if err != nil {
			return answer{Error: err.Error()}
		}
		patched, err := patch.Apply(r.Original)
		return document(patched, err)
	}
}

func document(patched []byte, err error) answer {
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Text: string(bytes.TrimSpace(patched))}
}

func strategic(r request) (a answer) {
	newObject := kinds[r.Kind]
	typed := newObject()
	if err := kjson.UnmarshalCaseSensitivePreserveInts(r.Original, typed); err != nil {
		return answer{Error: "original: " + err.Error()}
	}
	original, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return answer{Error: "original: " + err.Error()}
	}
	a.Original = runtime.DeepCopyJSON(original)
	patch := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(r.Patch, &patch); err != nil {
		a.Error = err.Error()
		return a
	}
	merged, err := strategicpatch.StrategicMergeMapPatch(original, patch, newObject())
	if err != nil {
		a.Error = err.Error()
		return a
	}
	a.Object = runtime.DeepCopyJSON(merged)
	a.Shown = fmt.Sprintf("%+v", patch)
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(merged, newObject(), true)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, e := range strict.Errors() {
			a.Strict = append(a.Strict, e.Error())
		}
	} else if err != nil {
		a.Decode = err.Error()
	}
	return a
}
