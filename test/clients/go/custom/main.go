// Takes client-go's dynamic client, and the client and the cache of controller-runtime, through steps with custom
// resources of two versions, and prints what they hear as one line of JSON.
//
//	custom KUBECONFIG NAMESPACE
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const group = "harbor.example.com"

type program struct {
	ctx       context.Context
	namespace string
	dynamic   dynamic.Interface
	runtime   client.Client
	cache     cache.Cache
	report    bytes.Buffer
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	config.QPS = -1
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p := &program{ctx: ctx, namespace: os.Args[2]}
	p.dynamic, err = dynamic.NewForConfig(config)
	must(err)
	p.runtime, err = client.New(config, client.Options{})
	must(err)
	p.cache, err = cache.New(config, cache.Options{})
	must(err)
	p.dynamically()
	p.atRuntime()
	p.cached()
	fmt.Printf("{%s}\n", p.report.Bytes())
}

func (p *program) ships(version string) dynamic.ResourceInterface {
	return p.dynamic.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: "ships"}).Namespace(p.namespace)
}

func (p *program) ship(version, name string, spec map[string]any) *unstructured.Unstructured {
	ship := &unstructured.Unstructured{}
	ship.SetGroupVersionKind(schema.GroupVersionKind{Group: group, Version: version, Kind: "Ship"})
	ship.SetNamespace(p.namespace)
	ship.SetName(name)
	if spec != nil {
		ship.Object["spec"] = spec
	}
	return ship
}

func (p *program) dynamically() {
	first := p.ship("v1", "ada", map[string]any{"name": "Ada"})
	p.step("create", func() (any, error) { return p.ships("v1").Create(p.ctx, first, metav1.CreateOptions{}) })
	p.step("create what is invalid", func() (any, error) {
		return p.ships("v2").Create(p.ctx, p.ship("v2", "bad", map[string]any{"title": int64(7)}), metav1.CreateOptions{})
	})
	p.step("read in another version", func() (any, error) { return p.ships("v2").Get(p.ctx, "ada", metav1.GetOptions{}) })
	p.step("patch in another version", func() (any, error) {
		patch := []byte(`{"spec":{"title":"Adele"}}`)
		return p.ships("v2").Patch(p.ctx, "ada", types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "patcher"})
	})
	p.step("apply in another version", func() (any, error) {
		intent := p.ship("v2", "bea", map[string]any{"title": "Bea"})
		return p.ships("v2").Apply(p.ctx, "bea", intent, metav1.ApplyOptions{FieldManager: "gitops"})
	})
	p.step("apply a conflict in the first version", func() (any, error) {
		intent := p.ship("v1", "bea", map[string]any{"name": "Beatrice"})
		return p.ships("v1").Apply(p.ctx, "bea", intent, metav1.ApplyOptions{FieldManager: "other"})
	})
	p.step("list", func() (any, error) { return p.ships("v2").List(p.ctx, metav1.ListOptions{}) })
	p.step("a watch", func() (any, error) {
		watched, err := p.ships("v2").Watch(p.ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		defer watched.Stop()
		var seen []any
		for range 2 {
			event := <-watched.ResultChan()
			seen = append(seen, event.Type, event.Object.(*unstructured.Unstructured).Object["spec"])
		}
		return seen, nil
	})
}

func (p *program) atRuntime() {
	p.step("controller-runtime: create", func() (any, error) {
		ship := p.ship("v2", "cas", map[string]any{"title": "Cas"})
		return ship, p.runtime.Create(p.ctx, ship)
	})
	p.step("controller-runtime: read in another version", func() (any, error) {
		ship := p.ship("v1", "cas", nil)
		return ship, p.runtime.Get(p.ctx, client.ObjectKeyFromObject(ship), ship)
	})
	p.step("controller-runtime: patch", func() (any, error) {
		ship := p.ship("v1", "cas", nil)
		if err := p.runtime.Get(p.ctx, client.ObjectKeyFromObject(ship), ship); err != nil {
			return nil, err
		}
		before := ship.DeepCopy()
		ship.Object["spec"] = map[string]any{"name": "Casimir"}
		return ship, p.runtime.Patch(p.ctx, ship, client.MergeFrom(before))
	})
	p.step("controller-runtime: a scale that nobody has", func() (any, error) {
		ship := p.ship("v1", "cas", nil)
		return ship, p.runtime.SubResource("scale").Get(p.ctx, ship, p.ship("v1", "cas", nil))
	})
}

// cached reads from an informer, which hears of changes that are made in another version.
func (p *program) cached() {
	go func() { must(p.cache.Start(p.ctx)) }()
	p.cache.WaitForCacheSync(p.ctx)
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(schema.GroupVersionKind{Group: group, Version: "v2", Kind: "ShipList"})
	p.step("cache: list", func() (any, error) {
		err := p.cache.List(p.ctx, list, client.InNamespace(p.namespace))
		var titles []string
		for _, ship := range list.Items {
			title, _, _ := unstructured.NestedString(ship.Object, "spec", "title")
			titles = append(titles, title)
		}
		sort.Strings(titles)
		return titles, err
	})
	p.step("cache: a change in another version", func() (any, error) {
		patch := []byte(`{"spec":{"name":"Casper"}}`)
		if _, err := p.ships("v1").Patch(p.ctx, "cas", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return nil, err
		}
		ship := p.ship("v2", "cas", nil)
		err := wait.PollUntilContextCancel(p.ctx, 10*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			err := p.cache.Get(ctx, client.ObjectKeyFromObject(ship), ship)
			title, _, _ := unstructured.NestedString(ship.Object, "spec", "title")
			return title == "Casper", err
		})
		return ship, err
	})
	p.step("cache: what is gone", func() (any, error) {
		if err := p.ships("v1").Delete(p.ctx, "cas", metav1.DeleteOptions{}); err != nil {
			return nil, err
		}
		ship := p.ship("v2", "cas", nil)
		return "gone", wait.PollUntilContextCancel(p.ctx, 10*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			err := p.cache.Get(ctx, client.ObjectKeyFromObject(ship), ship)
			return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
		})
	})
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
