"""The Helm chart, rendered by Helm and read by the schemas of Kubernetes."""

import re
import subprocess
import sysconfig
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
CHART = ROOT / "deploy" / "helm"
HELM = Path(sysconfig.get_path("scripts")) / "helm"
READ = YAML(typ="safe")
RELEASES = "1.25", "1.33", "1.37"
"""The oldest release that the chart allows, one that is common, and the newest known here."""
INSTALLATIONS = {
    "plain": (),
    "everything": (
        *("ray.enabled=true", "ingress.enabled=true", "ingress.host=forager.example.org"),
        *("ingress.tlsSecret=certificate", "keys=keys", "blobs=s3://bucket/forager"),
        *("settings.FORAGER_MODEL=openai:gpt-4.1-mini", "imagePullSecrets[0].name=registry"),
    ),
    "own servers": ("postgres.enabled=false", "chroma.enabled=false", "browser.sandbox=false"),
}
Object = dict[str, Any]


def run_helm(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(HELM), *words], capture_output=True, text=True, check=False, cwd=ROOT
    )


def render(values: tuple[str, ...]) -> list[Object]:
    told = run_helm(
        "template", "r", str(CHART), *(word for value in values for word in ("--set", value))
    )
    assert told.returncode == 0, told.stderr
    return [each for each in READ.load_all(told.stdout) if each]


@pytest.fixture(params=INSTALLATIONS, scope="module")
def objects(request: pytest.FixtureRequest) -> list[Object]:
    return render(INSTALLATIONS[request.param])


def pods_of(objects: list[Object]) -> Iterator[tuple[Object, Object]]:
    """The templates of pods, each with the object that it belongs to."""
    for each in objects:
        spec = each["spec"]
        if each["kind"] in ("Deployment", "StatefulSet"):
            yield each, spec["template"]
        if each["kind"] == "RayCluster":
            yield each, spec["headGroupSpec"]["template"]
            yield from ((each, group["template"]) for group in spec["workerGroupSpecs"])


def containers_of(pod: Object) -> list[Object]:
    return [*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]]


def test_helm_finds_nothing_in_it() -> None:
    told = run_helm("lint", "--strict", str(CHART))
    assert told.returncode == 0, told.stdout
    assert "[WARNING]" not in told.stdout


@pytest.mark.parametrize("release", RELEASES)
def test_all_objects_are_as_kubernetes_describes_them(release: str, objects: list[Object]) -> None:
    for each in objects:
        if each["kind"] != "RayCluster":
            kubernetes_validate.validate(each, release, strict=True)
    for owner, pod in pods_of(objects):
        alone = {"apiVersion": "v1", "kind": "Pod", **pod}
        alone["metadata"] = {**pod["metadata"], "name": owner["metadata"]["name"]}
        kubernetes_validate.validate(alone, release, strict=True)


def test_what_one_object_names_another_one_is(objects: list[Object]) -> None:
    claims = {one["metadata"]["name"] for one in objects if one["kind"] == "PersistentVolumeClaim"}
    labels = [pod["metadata"]["labels"] for _, pod in pods_of(objects)]
    for each in objects:
        spec = each["spec"]
        if each["kind"] == "Service":
            assert any(spec["selector"].items() <= label.items() for label in labels)
        if each["kind"] in ("Deployment", "StatefulSet"):
            wanted = spec["selector"]["matchLabels"].items()
            assert [label for label in labels if wanted <= label.items()] == [
                spec["template"]["metadata"]["labels"]
            ]
    for owner, pod in pods_of(objects):
        made = {one["metadata"]["name"] for one in owner["spec"].get("volumeClaimTemplates", ())}
        volumes = {volume["name"] for volume in pod["spec"].get("volumes", ())} | made
        for container in containers_of(pod):
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
        for volume in pod["spec"].get("volumes", ()):
            if claim := volume.get("persistentVolumeClaim"):
                assert claim["claimName"] in claims


def test_servers_are_named_as_their_services_are(objects: list[Object]) -> None:
    services = {one["metadata"]["name"] for one in objects if one["kind"] == "Service"}
    services |= {
        f"{one['metadata']['name']}-head-svc" for one in objects if one["kind"] == "RayCluster"
    }
    for _, pod in pods_of(objects):
        for container in containers_of(pod):
            for variable in container.get("env", ()):
                if host := re.search(r"://(?:[^@/]*@)?(r-[\w-]+)", variable.get("value", "")):
                    assert host[1] in services, variable


def test_nothing_runs_as_root_or_gains_rights_or_has_a_key_written_down(
    objects: list[Object],
) -> None:
    for _, pod in pods_of(objects):
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        assert pod["spec"]["securityContext"]["runAsUser"] > 0
        for container in containers_of(pod):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
            }
            for variable in container.get("env", ()):
                if re.search("KEY|PASSWORD|SECRET|TOKEN", variable["name"]):
                    assert "secretKeyRef" in variable["valueFrom"]
    assert not [one for one in objects if one["kind"] == "Secret"]


def test_whoever_speaks_with_ray_has_its_token(objects: list[Object]) -> None:
    for _, pod in pods_of(objects):
        for container in containers_of(pod):
            named = {variable["name"] for variable in container.get("env", ())}
            speaks = "FORAGER_RAY" in named or container["name"].startswith("ray-")
            assert ("RAY_AUTH_TOKEN" in named) is speaks


def test_only_pods_of_the_release_reach_what_asks_for_no_password(objects: list[Object]) -> None:
    [policy] = [one["spec"] for one in objects if one["kind"] == "NetworkPolicy"]
    [without] = policy["podSelector"]["matchExpressions"]
    parts = {
        pod["metadata"]["labels"]["app.kubernetes.io/component"] for _, pod in pods_of(objects)
    }
    assert (without["operator"], without["values"]) == ("NotIn", ["web-ui"])
    assert "web-ui" in parts
    [rule] = policy["ingress"]
    assert rule["from"][0]["podSelector"]["matchLabels"] == policy["podSelector"]["matchLabels"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("blob=s3://bucket", "blob"),
        ("data.size=lots", "data.size|/data/size"),
        ("settings.lower=1", "lower"),
        ("ray.workers=0", "workers"),
        ("ingress.enabled=true", "ingress.host names the host"),
    ],
)
def test_values_that_it_does_not_know_are_refused(value: str, told: str) -> None:
    refused = run_helm("template", "r", str(CHART), "--set", value)
    assert refused.returncode != 0
    assert re.search(told, refused.stderr)


def test_its_versions_are_those_of_the_project() -> None:
    chart = READ.load(CHART / "Chart.yaml")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert chart["appVersion"] == chart["version"] == project["version"]
    values = READ.load(CHART / "values.yaml")
    compose = READ.load(ROOT / "deploy" / "compose.yaml")["services"]
    for server in ("postgres", "chroma"):
        assert values[server]["image"] == compose[server]["image"]
