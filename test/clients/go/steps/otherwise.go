package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
)

// otherwise makes, changes, lists, watches and deletes.
func (p *program) otherwise() {
	maps := p.typed.CoreV1().ConfigMaps(p.namespace)
	first := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "first", Labels: map[string]string{"of": "go"}},
		Data:       map[string]string{"turn": "1"},
		BinaryData: map[string][]byte{"bytes": {0, 1, 255}},
	}
	p.step("create", func() (any, error) { return maps.Create(p.ctx, first, metav1.CreateOptions{}) })
	p.step("create it again", func() (any, error) { return maps.Create(p.ctx, first, metav1.CreateOptions{}) })
	p.step("create a pod", func() (any, error) {
		return p.typed.CoreV1().Pods(p.namespace).Create(p.ctx, fullPod(), metav1.CreateOptions{FieldValidation: "Strict"})
	})
	p.step("create what is invalid", func() (any, error) {
		pod := fullPod()
		pod.Name, pod.Spec.Containers[0].Image = "Bad", ""
		return p.typed.CoreV1().Pods(p.namespace).Create(p.ctx, pod, metav1.CreateOptions{})
	})
	p.step("update", func() (any, error) {
		changed := first.DeepCopy()
		changed.Data["turn"] = "2"
		return maps.Update(p.ctx, changed, metav1.UpdateOptions{FieldManager: "updater"})
	})
	p.step("update an old version", func() (any, error) {
		old := first.DeepCopy()
		old.ResourceVersion = "1"
		return maps.Update(p.ctx, old, metav1.UpdateOptions{})
	})
	p.step("merge patch", func() (any, error) {
		return maps.Patch(p.ctx, "first", types.MergePatchType, []byte(`{"data":{"turn":null,"more":"3"}}`), metav1.PatchOptions{})
	})
	p.step("strategic patch of a dry run", func() (any, error) {
		body := []byte(`{"metadata":{"labels":{"of":null}}}`)
		return maps.Patch(p.ctx, "first", types.StrategicMergePatchType, body, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	})
	p.step("list", func() (any, error) { return maps.List(p.ctx, metav1.ListOptions{LabelSelector: "of=go"}) })
	p.step("pages", p.pages)
	p.step("watch", p.watched)
	p.step("scale", func() (any, error) {
		return p.typed.AppsV1().Deployments(p.namespace).GetScale(p.ctx, "web", metav1.GetOptions{})
	})
	p.step("delete", func() (any, error) { return nil, maps.Delete(p.ctx, "first", metav1.DeleteOptions{}) })
	p.step("delete with preconditions", func() (any, error) {
		uid := types.UID("11111111-2222-3333-4444-555555555555")
		return nil, maps.Delete(p.ctx, "dynamic", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
	})
	p.step("read what is gone", func() (any, error) { return maps.Get(p.ctx, "first", metav1.GetOptions{}) })
	p.step("delete a collection", func() (any, error) {
		return nil, maps.DeleteCollection(p.ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "of=go"})
	})
	p.step("groups", func() (any, error) {
		groups, err := p.typed.Discovery().ServerGroups()
		must(err)
		return len(groups.Groups) > 20, nil
	})
}

// fullPod has a value of most types of fields.
func fullPod() *corev1.Pod {
	seconds, runAs, yes := int64(90), int64(1000), true
	cpu := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("0.5Gi")}
	probe := corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("http"), Path: "/ready"}}
	since := metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "full", Annotations: map[string]string{"text": "<ahoy> & \"more\" ✓"}},
		Spec: corev1.PodSpec{
			ActiveDeadlineSeconds: &seconds,
			SecurityContext:       &corev1.PodSecurityContext{RunAsUser: &runAs, RunAsNonRoot: &yes},
			Tolerations:           []corev1.Toleration{{Key: "tide", Operator: corev1.TolerationOpExists, TolerationSeconds: &seconds, Effect: corev1.TaintEffectNoExecute}},
			Volumes:               []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			Containers: []corev1.Container{{
				Name: "full", Image: "full:1", Args: []string{"", "two"},
				Ports:          []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
				Resources:      corev1.ResourceRequirements{Requests: cpu},
				ReadinessProbe: &corev1.Probe{ProbeHandler: probe},
				VolumeMounts:   []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
			}},
		},
		Status: corev1.PodStatus{StartTime: &since},
	}
}

func (p *program) pages() (any, error) {
	maps := p.typed.CoreV1().ConfigMaps(p.namespace)
	pages := [][]string{}
	for token := "first"; token != ""; {
		if token == "first" {
			token = ""
		}
		page, err := maps.List(p.ctx, metav1.ListOptions{Limit: 1, Continue: token})
		must(err)
		names := []string{}
		for _, item := range page.Items {
			names = append(names, item.Name)
		}
		pages = append(pages, names)
		token = page.Continue
	}
	return pages, nil
}

// watched has events from before three changes on, after the state has been streamed.
func (p *program) watched() (any, error) {
	maps := p.typed.CoreV1().ConfigMaps(p.namespace)
	yes := true
	options := metav1.ListOptions{LabelSelector: "of=go", SendInitialEvents: &yes, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, AllowWatchBookmarks: true}
	watcher, err := maps.Watch(p.ctx, options)
	must(err)
	defer watcher.Stop()
	events := []string{}
	take := func(count int) {
		for deadline := time.After(20 * time.Second); len(events) < count; {
			select {
			case event := <-watcher.ResultChan():
				events = append(events, textOf(event))
			case <-deadline:
				must(fmt.Errorf("no more than %v", events))
			}
		}
	}
	take(2)
	seen := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "seen", Labels: map[string]string{"of": "go"}}, Data: map[string]string{"turn": "1"}}
	_, err = maps.Create(p.ctx, seen, metav1.CreateOptions{})
	must(err)
	seen.Data["turn"] = "2"
	_, err = maps.Update(p.ctx, seen, metav1.UpdateOptions{})
	must(err)
	must(maps.Delete(p.ctx, "seen", metav1.DeleteOptions{}))
	take(5)
	return events, nil
}

func textOf(event watch.Event) string {
	object, ok := event.Object.(*corev1.ConfigMap)
	if !ok {
		return fmt.Sprintf("%s %T", event.Type, event.Object)
	}
	return fmt.Sprintf("%s %s %v %v", event.Type, object.Name, object.Data, object.Annotations)
}
