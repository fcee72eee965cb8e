package main

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	v1 "example.com/website-operator/api/v1"
)

// start runs the operator on a server of the test's own.
func start(t *testing.T) client.Client {
	environment := &envtest.Environment{CRDDirectoryPaths: []string{"config/crd"}, ErrorIfCRDPathMissing: true}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  newScheme(),
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err == nil {
		err = (&Reconciler{manager.GetClient()}).SetupWithManager(manager)
	}
	if err != nil {
		done <- nil
		t.Fatal(err)
	}
	go func() { done <- manager.Start(ctx) }()
	direct, err := client.New(config, client.Options{Scheme: newScheme()})
	if err != nil {
		t.Fatal(err)
	}
	return direct
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("it never holds: " + what)
}

func TestPages(t *testing.T) {
	ctx, api := context.Background(), start(t)
	website := &v1.Website{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "home"},
		Spec:       v1.WebsiteSpec{Text: "Hello & welcome"},
	}
	if err := api.Create(ctx, website); err != nil {
		t.Fatal(err)
	}
	var page corev1.ConfigMap
	key := client.ObjectKey{Namespace: "default", Name: "home-page"}
	eventually(t, "the page has the text", func() bool {
		return api.Get(ctx, key, &page) == nil && page.Data["index.html"] == "<h1>Hello &amp; welcome</h1>"
	})
	eventually(t, "the status names the page", func() bool {
		return api.Get(ctx, client.ObjectKeyFromObject(website), website) == nil && website.Status.Page == page.Name
	})

	// The garbage collector is one of BINNACLE_CONTROLLERS.
	if err := api.Delete(ctx, website); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page goes with its website", func() bool {
		return apierrors.IsNotFound(api.Get(ctx, key, &page))
	})
}
