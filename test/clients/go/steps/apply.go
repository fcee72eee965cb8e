package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	scaleapply "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func as(manager string) metav1.ApplyOptions { return metav1.ApplyOptions{FieldManager: manager} }

func forcedAs(manager string) metav1.ApplyOptions {
	return metav1.ApplyOptions{FieldManager: manager, Force: true}
}

func podSpec(image string) *coreapply.PodSpecApplyConfiguration {
	port := coreapply.ContainerPort().WithContainerPort(80)
	return coreapply.PodSpec().WithContainers(coreapply.Container().WithName("web").WithImage(image).WithPorts(port))
}

func (p *program) deployment(image string) *appsapply.DeploymentApplyConfiguration {
	labels := map[string]string{"app": "web"}
	template := coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(podSpec(image))
	spec := appsapply.DeploymentSpec().WithReplicas(2).WithSelector(metaapply.LabelSelector().WithMatchLabels(labels)).WithTemplate(template)
	return appsapply.Deployment("web", p.namespace).WithSpec(spec)
}

// deployments: apply, and extract, change and apply again.
func (p *program) deployments() {
	deployments := p.typed.AppsV1().Deployments(p.namespace)
	p.step("apply a deployment", func() (any, error) { return deployments.Apply(p.ctx, p.deployment("web:1"), as("gitops")) })
	p.step("apply a conflict", func() (any, error) { return deployments.Apply(p.ctx, p.deployment("web:2"), as("other")) })
	p.step("apply by force", func() (any, error) { return deployments.Apply(p.ctx, p.deployment("web:2"), forcedAs("other")) })
	p.step("apply without a manager", func() (any, error) { return deployments.Apply(p.ctx, p.deployment("web:2"), as("")) })
	p.step("extract from a deployment", func() (any, error) {
		live, err := deployments.Get(p.ctx, "web", metav1.GetOptions{})
		must(err)
		return appsapply.ExtractDeployment(live, "gitops")
	})
	p.step("apply what was extracted", func() (any, error) {
		live, err := deployments.Get(p.ctx, "web", metav1.GetOptions{})
		must(err)
		extracted, err := appsapply.ExtractDeployment(live, "gitops")
		must(err)
		applied, err := deployments.Apply(p.ctx, extracted, as("gitops"))
		must(err)
		return applied.ResourceVersion == live.ResourceVersion, nil
	})
	p.step("apply what was extracted and changed", func() (any, error) {
		live, err := deployments.Get(p.ctx, "web", metav1.GetOptions{})
		must(err)
		extracted, err := appsapply.ExtractDeployment(live, "gitops")
		must(err)
		extracted.Spec.Template.Spec.Containers[0].WithEnv(coreapply.EnvVar().WithName("COLOR").WithValue("blue"))
		extracted.Spec.Replicas = nil
		extracted.WithAnnotations(map[string]string{"extracted": "yes"})
		return deployments.Apply(p.ctx, extracted, as("gitops"))
	})
	p.step("apply a scale", func() (any, error) {
		scale := scaleapply.Scale().WithName("web").WithNamespace(p.namespace).WithSpec(scaleapply.ScaleSpec().WithReplicas(5))
		return deployments.ApplyScale(p.ctx, "web", scale, forcedAs("scaler"))
	})
	p.step("apply a status", func() (any, error) {
		condition := appsapply.DeploymentCondition().WithType("Available").WithStatus(corev1.ConditionTrue)
		status := appsapply.DeploymentStatus().WithObservedGeneration(3).WithConditions(condition)
		return deployments.ApplyStatus(p.ctx, appsapply.Deployment("web", p.namespace).WithStatus(status), as("controller"))
	})
	p.step("extract a status", func() (any, error) {
		live, err := deployments.Get(p.ctx, "web", metav1.GetOptions{})
		must(err)
		return appsapply.ExtractDeploymentStatus(live, "controller")
	})
	p.step("extract a scale", func() (any, error) {
		live, err := deployments.Get(p.ctx, "web", metav1.GetOptions{})
		must(err)
		return appsapply.ExtractDeploymentScale(live, "scaler")
	})
}

func (p *program) pods() {
	pods := p.typed.CoreV1().Pods(p.namespace)
	p.step("apply a pod", func() (any, error) {
		return pods.Apply(p.ctx, coreapply.Pod("pilot", p.namespace).WithLabels(map[string]string{"app": "pilot"}).WithSpec(podSpec("pilot:1")), as("gitops"))
	})
	p.step("apply an extracted pod", func() (any, error) {
		live, err := pods.Get(p.ctx, "pilot", metav1.GetOptions{})
		must(err)
		extracted, err := coreapply.ExtractPod(live, "gitops")
		must(err)
		extracted.Labels = nil
		extracted.Spec.Containers[0].WithImage("pilot:2")
		return pods.Apply(p.ctx, extracted, as("gitops"))
	})
	p.step("apply a pod's status", func() (any, error) {
		condition := coreapply.PodCondition().WithType(corev1.PodReady).WithStatus(corev1.ConditionFalse).WithReason("Waiting")
		status := coreapply.PodStatus().WithPhase(corev1.PodRunning).WithConditions(condition)
		return pods.ApplyStatus(p.ctx, coreapply.Pod("pilot", p.namespace).WithStatus(status), as("kubelet"))
	})
	p.step("apply an extracted status", func() (any, error) {
		live, err := pods.Get(p.ctx, "pilot", metav1.GetOptions{})
		must(err)
		extracted, err := coreapply.ExtractPodStatus(live, "kubelet")
		must(err)
		extracted.Status.Conditions = nil
		return pods.ApplyStatus(p.ctx, extracted, as("kubelet"))
	})
}

func (p *program) services() {
	services := p.typed.CoreV1().Services(p.namespace)
	port := func(name string, number int32, protocol corev1.Protocol) *coreapply.ServicePortApplyConfiguration {
		return coreapply.ServicePort().WithName(name).WithPort(number).WithProtocol(protocol)
	}
	p.step("apply a service", func() (any, error) {
		spec := coreapply.ServiceSpec().WithSelector(map[string]string{"app": "web"}).WithPorts(port("http", 80, corev1.ProtocolTCP), port("dns", 53, corev1.ProtocolUDP))
		return services.Apply(p.ctx, coreapply.Service("web", p.namespace).WithSpec(spec), as("gitops"))
	})
	p.step("apply an extracted service", func() (any, error) {
		live, err := services.Get(p.ctx, "web", metav1.GetOptions{})
		must(err)
		extracted, err := coreapply.ExtractService(live, "gitops")
		must(err)
		extracted.Spec.Ports = extracted.Spec.Ports[1:]
		extracted.Spec.WithPorts(port("dns-tcp", 53, corev1.ProtocolTCP))
		return services.Apply(p.ctx, extracted, as("gitops"))
	})
}

func (p *program) configMap(name string, data map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name, "namespace": p.namespace}, "data": data,
	}}
}

// dynamically applies with the dynamic client.
func (p *program) dynamically() {
	maps := p.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(p.namespace)
	p.step("dynamic: apply", func() (any, error) {
		return maps.Apply(p.ctx, "dynamic", p.configMap("dynamic", map[string]any{"one": "1", "two": "2"}), as("gitops"))
	})
	p.step("dynamic: apply a conflict", func() (any, error) {
		return maps.Apply(p.ctx, "dynamic", p.configMap("dynamic", map[string]any{"one": "2"}), as("other"))
	})
	p.step("dynamic: apply by force", func() (any, error) {
		return maps.Apply(p.ctx, "dynamic", p.configMap("dynamic", map[string]any{"one": "2"}), forcedAs("other"))
	})
	p.step("dynamic: what is not text", func() (any, error) {
		return maps.Apply(p.ctx, "dynamic", p.configMap("dynamic", map[string]any{"one": int64(3)}), as("gitops"))
	})
}

// atRuntime applies with the client of controller-runtime.
func (p *program) atRuntime() {
	secret := func(token string) *coreapply.SecretApplyConfiguration {
		return coreapply.Secret("key", p.namespace).WithStringData(map[string]string{"token": token})
	}
	p.step("controller-runtime: apply", func() (any, error) {
		applied := secret("harbor")
		return applied, p.runtime.Apply(p.ctx, applied, client.FieldOwner("operator"))
	})
	p.step("controller-runtime: apply a conflict", func() (any, error) {
		return nil, p.runtime.Apply(p.ctx, secret("other"), client.FieldOwner("other"))
	})
	p.step("controller-runtime: apply by force", func() (any, error) {
		return nil, p.runtime.Apply(p.ctx, secret("other"), client.FieldOwner("other"), client.ForceOwnership)
	})
	p.step("controller-runtime: patch", func() (any, error) {
		read := &corev1.Secret{}
		must(p.runtime.Get(p.ctx, client.ObjectKey{Namespace: p.namespace, Name: "key"}, read))
		changed := read.DeepCopy()
		changed.Labels = map[string]string{"of": "operator"}
		err := p.runtime.Patch(p.ctx, changed, client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{}), client.FieldOwner("operator"))
		return changed, err
	})
}
