import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.io.FileReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** {@code java OfficialClient.java KUBECONFIG NAMESPACE}: what the official Java client gets to hear, step by step, as one line of JSON. */
public class OfficialClient {
  private final ApiClient client;
  private final CoreV1Api core;
  private final AppsV1Api apps;
  private final String namespace;
  private final JsonObject report = new JsonObject();

  private OfficialClient(ApiClient client, String namespace) {
    this.client = client;
    this.core = new CoreV1Api(client);
    this.apps = new AppsV1Api(client);
    this.namespace = namespace;
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new FileReader(args[0]))).build();
    client.setReadTimeout(0);
    OfficialClient program = new OfficialClient(client, args[1]);
    program.applying();
    program.generic();
    program.otherWrites();
    program.watching();
    System.out.println(new Gson().toJson(program.report));
    System.exit(0);
  }

  /** Keeps what the server answered: a value, or the status of an error. */
  private void step(String title, Callable<Object> act) throws Exception {
    try {
      report.add(title, JsonParser.parseString(JSON.getGson().toJson(act.call())));
    } catch (ApiException error) {
      JsonElement status = JsonParser.parseString(error.getResponseBody());
      report.add(title, status);
    }
  }

  private void applying() throws Exception {
    step("create a namespace", () -> core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace))).execute());
    step("apply creates", () -> apply(deployment("web:1"), "gitops", false));
    step("apply the same", () -> {
      String version = apps.readNamespacedDeployment("web", namespace).execute().getMetadata().getResourceVersion();
      return version.equals(apply(deployment("web:1"), "gitops", false).getMetadata().getResourceVersion());
    });
    step("apply a conflict", () -> apply(deployment("web:2"), "other", false));
    step("apply by force", () -> apply(deployment("web:2"), "other", true));
    step("apply without a manager", () -> apply(deployment("web:2"), null, false));
    step("apply without what was applied", () -> apply(deployment("web:2").spec(deployment("web:2").getSpec().replicas(null)), "gitops", false));
    V1Patch yaml = new V1Patch("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 6\n");
    step("apply in YAML", () -> apply(yaml, "yaml", true));
  }

  private void generic() throws Exception {
    GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> maps =
        new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    PatchOptions options = new PatchOptions();
    options.setFieldManager("generic");
    options.setForce(true);
    V1Patch patch = new V1Patch(JSON.getGson().toJson(map("generic", "1")));
    step("generic: apply", () -> maps.patch(namespace, "generic", V1Patch.PATCH_FORMAT_APPLY_YAML, patch, options).throwsApiException().getObject());
    step("generic: update", () -> maps.update(maps.get(namespace, "generic").throwsApiException().getObject().putDataItem("more", "2")).throwsApiException().getObject());
    DynamicKubernetesApi services = new DynamicKubernetesApi("", "v1", "services", client);
    V1Patch service = new V1Patch("{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"web\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
    step("dynamic: apply", () -> services.patch(namespace, "web", V1Patch.PATCH_FORMAT_APPLY_YAML, service, options).throwsApiException().getObject().getRaw());
    step("dynamic: what is not there", () -> services.get(namespace, "missing").getStatus());
  }

  private void otherWrites() throws Exception {
    step("create", () -> core.createNamespacedConfigMap(namespace, map("first", "1")).execute());
    step("create it again", () -> core.createNamespacedConfigMap(namespace, map("first", "1")).execute());
    step("create a pod", () -> core.createNamespacedPod(namespace, new V1Pod().metadata(new V1ObjectMeta().generateName("gen-")).spec(podSpec("pilot:1"))).execute());
    step("create what is invalid", () -> core.createNamespacedPod(namespace, new V1Pod().metadata(new V1ObjectMeta().name("Bad")).spec(podSpec(""))).execute());
    step("a strategic patch", () -> patch("{\"data\":{\"strategic\":\"2\"}}", V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH));
    step("a merge patch", () -> patch("{\"data\":{\"turn\":null}}", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH));
    step("a JSON patch", () -> patch("[{\"op\":\"add\",\"path\":\"/data/added\",\"value\":\"3\"}]", V1Patch.PATCH_FORMAT_JSON_PATCH));
    step("replace", () -> core.replaceNamespacedConfigMap("first", namespace, map("first", "4")).execute());
    step("a second", () -> core.createNamespacedConfigMap(namespace, map("second", "1")).execute());
    step("pages", this::pages);
    step("delete", () -> core.deleteNamespacedConfigMap("first", namespace).execute());
    step("read what is gone", () -> core.readNamespacedConfigMap("first", namespace).execute());
    step("delete a collection", () -> core.deleteCollectionNamespacedConfigMap(namespace).labelSelector("of=java").execute());
  }

  private List<List<String>> pages() throws ApiException {
    List<List<String>> pages = new ArrayList<>();
    String token = null;
    do {
      V1ConfigMapList page = core.listNamespacedConfigMap(namespace).labelSelector("of=java").limit(2)._continue(token).execute();
      pages.add(page.getItems().stream().map(item -> item.getMetadata().getName()).toList());
      token = page.getMetadata().getContinue();
    } while (token != null);
    return pages;
  }

  private void watching() throws Exception {
    String version = core.listNamespacedConfigMap(namespace).execute().getMetadata().getResourceVersion();
    changeThrice();
    List<String> events = new ArrayList<>();
    try (Watch<V1ConfigMap> watch = Watch.createWatch(client,
        core.listNamespacedConfigMap(namespace).labelSelector("of=java").watch(true).resourceVersion(version).timeoutSeconds(20).buildCall(null),
        new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
      while (events.size() < 3 && watch.hasNext()) {
        Watch.Response<V1ConfigMap> event = watch.next();
        events.add(event.type + " " + event.object.getMetadata().getName() + " " + event.object.getData());
      }
    }
    step("a watch", () -> events);
    step("an informer", this::informed);
  }

  private List<String> informed() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    SharedInformerFactory factory = new SharedInformerFactory(client);
    var informer = factory.sharedIndexInformerFor((CallGeneratorParams params) -> core.listNamespacedConfigMap(namespace).labelSelector("of=java")
        .resourceVersion(params.resourceVersion).timeoutSeconds(params.timeoutSeconds).watch(params.watch).buildCall(null),
        V1ConfigMap.class, V1ConfigMapList.class);
    informer.addEventHandler(new ResourceEventHandler<V1ConfigMap>() {
      @Override
      public void onAdd(V1ConfigMap object) {
        seen.add("added " + object.getData());
      }

      @Override
      public void onUpdate(V1ConfigMap before, V1ConfigMap after) {
        seen.add("updated " + before.getData() + " " + after.getData());
      }

      @Override
      public void onDelete(V1ConfigMap object, boolean unknown) {
        seen.add("deleted " + object.getData());
      }
    });
    factory.startAllRegisteredInformers();
    while (!informer.hasSynced()) TimeUnit.MILLISECONDS.sleep(20);
    changeThrice();
    List<String> events = new ArrayList<>();
    while (events.size() < 3) events.add(String.valueOf(seen.poll(20, TimeUnit.SECONDS)));
    factory.stopAllRegisteredInformers();
    return events;
  }

  private void changeThrice() throws Exception {
    core.createNamespacedConfigMap(namespace, map("seen", "1")).execute();
    TimeUnit.MILLISECONDS.sleep(200);
    core.replaceNamespacedConfigMap("seen", namespace, map("seen", "2")).execute();
    TimeUnit.MILLISECONDS.sleep(200);
    core.deleteNamespacedConfigMap("seen", namespace).execute();
  }

  private V1Deployment apply(V1Deployment object, String manager, boolean force) throws ApiException {
    return apply(new V1Patch(JSON.getGson().toJson(object)), manager, force);
  }

  private V1Deployment apply(V1Patch patch, String manager, boolean force) throws ApiException {
    return PatchUtils.patch(V1Deployment.class,
        () -> apps.patchNamespacedDeployment("web", namespace, patch).fieldManager(manager).force(force ? true : null).buildCall(null),
        V1Patch.PATCH_FORMAT_APPLY_YAML, client);
  }

  private V1ConfigMap patch(String body, String format) throws ApiException {
    return PatchUtils.patch(V1ConfigMap.class, () -> core.patchNamespacedConfigMap("first", namespace, new V1Patch(body)).buildCall(null), format, client);
  }

  private V1Deployment deployment(String image) {
    Map<String, String> labels = Map.of("app", "web");
    return new V1Deployment().apiVersion("apps/v1").kind("Deployment").metadata(new V1ObjectMeta().name("web").namespace(namespace))
        .spec(new V1DeploymentSpec().replicas(2).selector(new V1LabelSelector().matchLabels(labels))
            .template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels)).spec(podSpec(image))));
  }

  /** Without overhead: the client would send an empty one, which servers refuse. */
  private static V1PodSpec podSpec(String image) {
    return new V1PodSpec().overhead(null).addContainersItem(new V1Container().name("web").image(image).addPortsItem(new V1ContainerPort().containerPort(80)));
  }

  private V1ConfigMap map(String name, String turn) {
    return new V1ConfigMap().apiVersion("v1").kind("ConfigMap")
        .metadata(new V1ObjectMeta().name(name).namespace(namespace).labels(Map.of("of", "java"))).putDataItem("turn", turn);
  }
}
