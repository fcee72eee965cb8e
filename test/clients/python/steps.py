"""`python steps.py KUBECONFIG NAMESPACE`: what the Python client gets to hear, step by step, as one line of JSON."""

import json
import sys

from kubernetes import client, config, dynamic, watch

APPLY = "application/apply-patch+yaml"
kubeconfig, namespace = sys.argv[1:]
config.load_kube_config(kubeconfig)
api = client.ApiClient()
core, apps, autoscaling = client.CoreV1Api(api), client.AppsV1Api(api), client.AutoscalingV2Api(api)
dynamic_client = dynamic.DynamicClient(api)
report = {}


def step(title, act):
    """Keeps what the server answered: a value, or the status of an error."""
    try:
        value = act()
        report[title] = value.to_dict() if isinstance(value, dynamic.resource.ResourceInstance) else api.sanitize_for_serialization(value)
    except client.ApiException as error:
        body = json.loads(error.body)
        report[title] = {key: body.get(key) for key in ("code", "reason", "message", "details")}


def deployment(**spec):
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": namespace}, "spec": spec}


def web(image, **more):
    labels = {"app": "web"}
    containers = [{"name": "web", "image": image, "ports": [{"containerPort": 80}], **more}]
    return deployment(replicas=2, selector={"matchLabels": labels}, template={"metadata": {"labels": labels}, "spec": {"containers": containers}})


def apply(body, manager, **options):
    return apps.patch_namespaced_deployment("web", namespace, body, field_manager=manager, _content_type=APPLY, **options)


def dynamic_apply(body, manager, **options):
    resource = dynamic_client.resources.get(api_version=body["apiVersion"], kind=body["kind"])
    return resource.server_side_apply(body=body, name=body["metadata"]["name"], namespace=namespace, field_manager=manager, **options)


def map_of(name, **data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"of": "python"}), data=data)


def raw_map(**data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dynamic"}, "data": data}


def watched(**options):
    """Events of three changes, from the version of a list on."""
    version = core.list_namespaced_config_map(namespace).metadata.resource_version
    core.create_namespaced_config_map(namespace, map_of("seen", turn="1"))
    core.patch_namespaced_config_map("seen", namespace, {"data": {"turn": "2"}})
    core.delete_namespaced_config_map("seen", namespace)
    watcher = watch.Watch()
    events = []
    for event in watcher.stream(core.list_namespaced_config_map, namespace, resource_version=version, timeout_seconds=20, **options):
        events.append([event["type"], event["object"].metadata.name, event["object"].data])
        if len(events) == 3:
            watcher.stop()
    return events


def dynamic_watched():
    maps = dynamic_client.resources.get(api_version="v1", kind="ConfigMap")
    events = maps.watch(namespace=namespace, label_selector="of=python", timeout=20)
    return [(event["type"], event["object"].metadata.name) for _, event in zip(range(2), events)]


def pages():
    """Names page by page."""
    names, token = [], None
    while token != "":
        page = core.list_namespaced_config_map(namespace, limit=1, _continue=token, label_selector="of=python")
        names.append([item.metadata.name for item in page.items])
        token = page.metadata._continue or ""
    return names


def no_op():
    before = apply(web("web:1"), "gitops").metadata
    after = apply(web("web:1"), "gitops").metadata
    return before.resource_version == after.resource_version and before.managed_fields == after.managed_fields


ports = [{"name": "http", "port": 80}, {"name": "dns", "port": 53, "protocol": "UDP"}]
service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"selector": {"app": "web"}, "ports": ports}}
secret = client.V1Secret(metadata=client.V1ObjectMeta(name="key"), string_data={"token": "harbor"})
metrics = [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}}]
scaler = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "web"},
    "spec": {"minReplicas": 1, "maxReplicas": 5, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "metrics": metrics},
}

step("create a namespace", lambda: core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=namespace))))
step("apply creates", lambda: apply(web("web:1"), "gitops"))
step("apply the same", no_op)
step("apply without a manager", lambda: apply(web("web:1"), None))
step("apply a conflict", lambda: apply(web("web:2"), "other"))
step("apply by force", lambda: apply(web("web:2"), "other", force=True))
step("apply without what was applied", lambda: apply(deployment(replicas=3), "other", force=True))
step("apply of a dry run", lambda: apply(web("web:3"), "gitops", force=True, dry_run="All"))
step("apply an unknown field, strictly", lambda: apply(web("web:1", imagine=True), "gitops", field_validation="Strict"))
step("apply a status", lambda: apps.patch_namespaced_deployment_status("web", namespace, {**deployment(), "status": {"conditions": [{"type": "Available", "status": "True"}]}}, field_manager="controller", _content_type=APPLY))
step("apply a scale", lambda: apps.patch_namespaced_deployment_scale("web", namespace, {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "web"}, "spec": {"replicas": 5}}, field_manager="scaler", force=True, _content_type=APPLY))
step("what is there now", lambda: apps.read_namespaced_deployment("web", namespace))
step("apply an autoscaler", lambda: autoscaling.patch_namespaced_horizontal_pod_autoscaler("web", namespace, scaler, field_manager="gitops", _content_type=APPLY))
step("dynamic: apply creates", lambda: dynamic_apply(raw_map(one="1", two="2"), "gitops"))
step("dynamic: apply a conflict", lambda: dynamic_apply(raw_map(one="other"), "other"))
step("dynamic: apply by force", lambda: dynamic_apply(raw_map(one="other"), "other", force_conflicts=True))
step("dynamic: apply less", lambda: dynamic_apply(raw_map(), "gitops"))
step("dynamic: apply a service", lambda: dynamic_apply(service, "gitops"))
step("create a config map", lambda: core.create_namespaced_config_map(namespace, map_of("first", turn="1")))
step("create it again", lambda: core.create_namespaced_config_map(namespace, map_of("first", turn="1")))
step("create a secret", lambda: core.create_namespaced_secret(namespace, secret))
step("a merge patch", lambda: core.patch_namespaced_config_map("first", namespace, {"data": {"turn": None, "more": "2"}}, _content_type="application/merge-patch+json"))
step("a JSON patch", lambda: core.patch_namespaced_config_map("first", namespace, [{"op": "add", "path": "/data/added", "value": "3"}]))
step("a strategic patch", lambda: apps.patch_namespaced_deployment("web", namespace, {"spec": {"template": {"spec": {"containers": [{"name": "web", "tty": True}]}}}}, _content_type="application/strategic-merge-patch+json").spec.template)
step("replace", lambda: core.replace_namespaced_config_map("first", namespace, map_of("first", turn="4")))
step("replace an old version", lambda: core.replace_namespaced_config_map("first", namespace, {**api.sanitize_for_serialization(map_of("first")), "metadata": {"name": "first", "resourceVersion": "1"}}))
step("create a second", lambda: core.create_namespaced_config_map(namespace, map_of("second")))
step("pages", pages)
step("a watch", watched)
step("dynamic: a watch", dynamic_watched)
step("delete", lambda: core.delete_namespaced_config_map("first", namespace))
step("read what is gone", lambda: core.read_namespaced_config_map("first", namespace))
step("delete a collection", lambda: core.delete_collection_namespaced_config_map(namespace, label_selector="of=python"))
step("the kinds", lambda: sorted({resource.kind for resource in dynamic_client.resources.search(group="apps")}))
print(json.dumps(report))
