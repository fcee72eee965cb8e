// Takes client-go and controller-runtime through steps and prints what they hear as one line of JSON.
//
//	steps [--content-type TYPE] KUBECONFIG NAMESPACE
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// program has the clients and what they heard so far.
type program struct {
	ctx       context.Context
	namespace string
	typed     kubernetes.Interface
	dynamic   dynamic.Interface
	runtime   client.Client
	report    bytes.Buffer
}

func main() {
	contentType := flag.String("content-type", "application/json", "media type that the typed client speaks; the dynamic one speaks CBOR with it")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", flag.Arg(0))
	must(err)
	config.QPS = -1
	p := &program{ctx: context.Background(), namespace: flag.Arg(1)}
	untyped := "application/json"
	if *contentType == "application/cbor" {
		untyped = *contentType
	}
	p.dynamic, err = dynamic.NewForConfig(speaking(config, untyped))
	must(err)
	p.typed, err = kubernetes.NewForConfig(speaking(config, *contentType))
	must(err)
	// It applies in JSON only.
	p.runtime, err = client.New(speaking(config, "application/json"), client.Options{})
	must(err)

	p.step("create a namespace", func() (any, error) {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.namespace}}
		return p.typed.CoreV1().Namespaces().Create(p.ctx, namespace, metav1.CreateOptions{})
	})
	p.deployments()
	p.pods()
	p.services()
	p.dynamically()
	p.atRuntime()
	p.otherwise()
	fmt.Printf("{%s}\n", p.report.Bytes())
}

func speaking(config *rest.Config, mediaType string) *rest.Config {
	config = rest.CopyConfig(config)
	config.ContentType = mediaType
	config.AcceptContentTypes = mediaType
	config.Wrap(func(inner http.RoundTripper) http.RoundTripper { return &expecting{inner, mediaType} })
	return config
}

// expecting refuses answers in another media type: clients of CBOR fall back to JSON and say nothing.
type expecting struct {
	inner     http.RoundTripper
	mediaType string
}

func (e *expecting) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := e.inner.RoundTrip(request)
	if err == nil && strings.Contains(request.URL.Path, "/namespaces/") {
		if found := response.Header.Get("Content-Type"); !strings.HasPrefix(found, e.mediaType) {
			return nil, fmt.Errorf("%s %s is answered in %q", request.Method, request.URL, found)
		}
	}
	return response, err
}

// step keeps what the server answered: a value, or the status of an error.
func (p *program) step(title string, act func() (any, error)) {
	value, err := act()
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		value = status.Status()
	} else {
		must(err)
	}
	if p.report.Len() > 0 {
		p.report.WriteByte(',')
	}
	fmt.Fprintf(&p.report, "%q:", title)
	must(json.NewEncoder(&p.report).Encode(value))
	p.report.Truncate(p.report.Len() - 1)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
