// Uses controller-runtime's envtest with a given API server, and prints what a user sees as one line of JSON.
//
//	envtest API_SERVER ETCD DEFINITIONS [FLAG=VALUE ...]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func main() {
	environment := &envtest.Environment{
		CRDDirectoryPaths:        []string{os.Args[3]},
		ErrorIfCRDPathMissing:    true,
		ControlPlaneStartTimeout: time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	environment.ControlPlane.Etcd = &envtest.Etcd{Path: os.Args[2]}
	server := environment.ControlPlane.GetAPIServer()
	server.Path = os.Args[1]
	for _, flag := range os.Args[4:] {
		name, value, _ := strings.Cut(flag, "=")
		server.Configure().Set(name, value)
	}
	config, err := environment.Start()
	must(err)
	report := use(environment, config)
	must(environment.Stop())
	must(json.NewEncoder(os.Stdout).Encode(report))
}

func use(environment *envtest.Environment, config *rest.Config) map[string]any {
	ctx := context.Background()
	admin, err := client.New(config, client.Options{})
	must(err)
	name := metav1.ObjectMeta{Namespace: "default", Name: "one"}
	must(admin.Create(ctx, &corev1.ConfigMap{ObjectMeta: name, Data: map[string]string{"a": "b"}}))
	var maps corev1.ConfigMapList
	must(admin.List(ctx, &maps, client.InNamespace("default")))

	ship := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"crew": int64(3), "unknown": true}}}
	ship.SetAPIVersion("harbor.example.com/v1")
	ship.SetKind("Ship")
	ship.SetNamespace("default")
	ship.SetName("one")
	must(admin.Create(ctx, ship))

	account := &corev1.ServiceAccount{ObjectMeta: name}
	must(admin.Create(ctx, account))
	token := &authenticationv1.TokenRequest{}
	must(admin.SubResource("token").Create(ctx, account, token))
	config = rest.AnonymousClientConfig(config)
	config.BearerToken = token.Status.Token
	withToken, err := client.New(config, client.Options{})
	must(err)

	user, err := environment.AddUser(envtest.User{Name: "ann"}, nil)
	must(err)
	asUser, err := client.New(user.Config(), client.Options{})
	must(err)
	return map[string]any{
		"maps":       len(maps.Items),
		"ship":       ship.Object["spec"],
		"by account": reasonOf(withToken.List(ctx, &maps, client.InNamespace("default"))),
		"by user":    reasonOf(asUser.List(ctx, &maps, client.InNamespace("default"))),
	}
}

func reasonOf(err error) string {
	if err == nil {
		return "allowed"
	}
	return fmt.Sprint(apierrors.ReasonForError(err), ": ", err)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
