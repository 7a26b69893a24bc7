"""Jobs for GitHub, GitLab and pre-commit: what they run is what dconv takes, and does it.

Their hosts are not here, so the parts that they would run are run by the shell that
they would take, with the variables that they would set.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from programs import need

from dconv.cli import arguments, main
from dconv.settings.manual import load_products
from dconv.settings.site import load_site
from dconv.sources.resources import resource_folder

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "publishing"
JOBS = sorted(path.name for path in EXAMPLES.glob("*.y*ml"))
# how GitHub runs a step with `shell: bash`
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
# ${{ inputs.site }}
INPUT = re.compile(r"\$\{\{ inputs\.(\w+) \}\}")
PYTHON = "${{ steps.python.outputs.python-path }}"
MANUAL = """\
                        ------------------------
                          HAProxy
                          Configuration Manual
                        ------------------------
                             version 3.5

1. Words
--------

Light is is made here.
"""
SITE = """\
[site]
title = "Manuals"
output = "public"

[[product]]
name = "haproxy"

[[product.release]]
version = "3.5"
source = {{ repository = "{repository}", revision = "v3.5.0", folder = "doc" }}
"""


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of a product: a text in `doc`, committed, with the tag of a release."""
    need("git")
    need("bash")
    folder = tmp_path / "work"
    (folder / "doc").mkdir(parents=True)
    monkeypatch.chdir(folder)
    for name in ("HOME", "XDG_CACHE_HOME", "RUNNER_TEMP"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("GITHUB_ACTION_PATH", str(ROOT))
    (folder / "doc/configuration.txt").write_text(MANUAL)
    git("init", "-q", "-b", "main")
    commit("Begin")
    git("tag", "v3.5.0")
    return folder


def git(*words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], check=True, capture_output=True)


def commit(subject: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", subject)


def append(line: str) -> None:
    with Path("doc/configuration.txt").open("a") as file:
        file.write(f"\n{line}\n")


# --- the action for GitHub ------------------------------------------------------------


def step(name: str, inputs: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a step of the action with `inputs`; those that are not given are its defaults."""
    action = read(ROOT / "action.yml")
    assert inputs.keys() <= action["inputs"].keys()
    values = {key: str(entry["default"]) for key, entry in action["inputs"].items()} | dict(inputs)
    first, *steps = action["runs"]["steps"]
    assert first["uses"].startswith("actions/setup-python@")
    (chosen,) = (entry for entry in steps if entry["name"] == name)
    assert chosen["shell"] == "bash"
    assert "${{" not in chosen["run"], "what a user writes must not become a part of a script"
    variables = {
        key: INPUT.sub(lambda match: values[match[1]], text.replace(PYTHON, "python3"))
        for key, text in chosen.get("env", {}).items()
    }
    assert not any("${{" in text for text in variables.values())
    return subprocess.run(
        [*BASH, chosen["run"]], env={**os.environ, **variables}, capture_output=True, text=True,
        check=False,
    )


@pytest.fixture
def installed(work: Path) -> Path:
    """The action's own environment, with this very program in it."""
    program = Path(os.environ["RUNNER_TEMP"]) / "dconv/bin/dconv"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m dconv "$@"\n')
    program.chmod(0o755)
    return work


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("programs", ["bin", "Scripts"])
def test_the_action_installs_its_own_checkout(
    programs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a Python in the place of the real one that writes down what it is asked."""
    stub = tmp_path / "stubs/python3"
    stub.parent.mkdir()
    stub.write_text(textwrap.dedent(f"""\
        #!/bin/sh
        printf '%s\\n' "$*" >> {tmp_path}/asked
        if [ "$2" = venv ]; then mkdir -p "$3/{programs}"; cp "$0" "$3/{programs}/python"; fi
    """))
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", f"{stub.parent}:{os.environ['PATH']}")
    completed = step("Install dconv", {})
    assert (completed.returncode, completed.stderr) == (0, "")
    made, locked, own = (tmp_path / "asked").read_text().splitlines()
    assert made == f"-m venv {tmp_path}/runner_temp/dconv"
    assert locked.endswith(f" install --require-hashes -r {ROOT}/requirements.lock")
    assert own.endswith(f" install --no-deps --no-build-isolation {ROOT}")
    # the lock has what builds the package, since nothing else is installed
    lock = (ROOT / "requirements.lock").read_text()
    assert "\nhatchling==" in lock


@pytest.mark.usefixtures("installed")
def test_the_action_annotates_findings() -> None:
    completed = step("Run dconv", {"files": "doc/*.txt"})
    assert completed.returncode == 1
    assert re.fullmatch(
        r"::warning file=doc/configuration\.txt,line=10,.*title=dconv doubled-word::.*\n",
        completed.stdout,
    )


@pytest.mark.usefixtures("installed")
def test_the_action_reports_only_new_findings() -> None:
    git("checkout", "-q", "-b", "branch")
    append("A lamp.")
    commit("Say more")
    quiet = step("Run dconv", {"files": "doc", "options": "--since main"})
    assert (quiet.returncode, quiet.stdout) == (0, "")
    append("The lamp burns burns.")
    completed = step("Run dconv", {"files": "doc", "options": "--since main"})
    assert (completed.returncode, completed.stdout.count("::warning ")) == (1, 1)
    assert "line=14" in completed.stdout


@pytest.mark.usefixtures("installed")
def test_the_action_takes_one_file_a_line() -> None:
    Path("doc/two words.txt").write_text(MANUAL.replace("is is", "was was"))
    completed = step("Run dconv", {"files": "doc/two words.txt\ndoc/configuration.txt\n"})
    assert completed.returncode == 1
    assert {"file=doc/two words.txt", "file=doc/configuration.txt"} <= set(
        re.findall(r"file=[^,]*", completed.stdout)
    )


@pytest.mark.usefixtures("installed")
def test_no_input_of_the_action_is_run() -> None:
    completed = step("Run dconv", {"files": "$(touch seen)", "options": "; touch seen"})
    assert completed.returncode == 2
    assert completed.stdout.startswith("::error::dconv: ")
    assert completed.stdout.removeprefix("::error::") == completed.stderr
    assert not Path("seen").exists()
    completed = step("Run dconv", {"command": "serve"})
    assert completed.returncode == 2
    assert completed.stdout.startswith("::error::")


def test_the_action_builds_a_site_for_a_tag(installed: Path) -> None:
    """From the tag of a release to the site: pages of what the tag has, not of what came later."""
    append("Not yet released.")
    commit("Go on")
    Path("site.toml").write_text(SITE.format(repository=installed))
    inputs = {"command": "build", "site": "site.toml", "strict": "true", "options": "--refresh"}
    completed = step("Run dconv", inputs)
    assert completed.returncode == 0, completed.stderr
    page = Path("public/haproxy/3.5/configuration/1.html").read_text("utf-8")
    assert "Light is is made here." in page
    assert "Not yet" not in page


# --- pre-commit -----------------------------------------------------------------------------


def hook(*files: str, **changes: list[str]) -> int:
    """The status of the hook for `files`, as pre-commit would run it."""
    (entry,) = read(ROOT / ".pre-commit-hooks.yaml")
    assert entry["id"] == "dconv-check"
    assert (entry["language"], entry["require_serial"]) == ("python", True)
    program, *words = shlex.split(entry["entry"])
    assert program == "dconv"
    return main([*words, *(changes.get("args") or entry["args"]), *files])


@pytest.mark.usefixtures("work")
def test_the_hook_refuses_new_findings(capsys: pytest.CaptureFixture[str]) -> None:
    append("A lamp.")
    assert hook("doc/configuration.txt") == 0
    append("The lamp burns burns.")
    assert hook("doc/configuration.txt") == 1
    assert "configuration.txt:14:" in capsys.readouterr().out
    assert hook("doc/configuration.txt", args=["--disable", "doubled-word"]) == 0


def test_examples_use_existing_inputs_and_files() -> None:
    (one,) = read(EXAMPLES / "pre-commit.yaml")["repos"]
    (used,) = one["hooks"]
    assert [used["id"]] == [hook["id"] for hook in read(ROOT / ".pre-commit-hooks.yaml")]
    assert re.search(used["files"], "doc/configuration.txt")
    (ours_by_default,) = read(ROOT / ".pre-commit-hooks.yaml")
    assert not re.search(ours_by_default["files"], "doc/requirements.txt")
    inputs = read(ROOT / "action.yml")["inputs"]
    for name in ("github-check.yml", "github-workflow.yml"):
        steps = [one for job in read(EXAMPLES / name)["jobs"].values() for one in job["steps"]]
        (ours,) = (one for one in steps if "/dconv@" in one.get("uses", ""))
        assert ours["with"].keys() <= inputs.keys()
    included = read(EXAMPLES / "gitlab-ci.yml")["include"][0]["file"]
    assert (ROOT / included).exists()
    jobs = read(EXAMPLES / "gitlab-template.yml")
    assert read(EXAMPLES / "gitlab-ci.yml")["build"]["extends"] in jobs
    for one in jobs.values():
        assert one.get("extends", ".dconv") in jobs


# --- GitLab ----------------------------------------------------------------------------------


def gitlab(job: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the lines of a job of the template as a runner does, with a `pip` that does nothing."""
    jobs = read(EXAMPLES / "gitlab-template.yml")
    base, own = jobs[".dconv"], jobs[job]
    program = Path(os.environ["RUNNER_TEMP"]) / "dconv/bin"
    pip = program / "pip"
    pip.write_text("#!/bin/sh\n")
    pip.chmod(0o755)
    environment = {"CI_PROJECT_DIR": str(Path.cwd()), "PATH": f"{program}:{os.environ['PATH']}"}
    for name, text in {**base["variables"], **own["variables"], **variables}.items():
        environment[name] = text.replace("$CI_PROJECT_DIR", environment["CI_PROJECT_DIR"])
    lines = "\n".join([*base["before_script"], *own["script"]])
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", lines], env={**os.environ, **environment},
        capture_output=True, text=True, check=False,
    )


@pytest.mark.usefixtures("installed")
def test_the_check_of_the_template() -> None:
    completed = gitlab(".dconv-check", DCONV="dconv.whl")
    assert completed.returncode == 1
    assert completed.stdout.startswith("doc/configuration.txt:10:")
    artifacts = read(EXAMPLES / "gitlab-template.yml")[".dconv-check"]["artifacts"]
    report = Path(artifacts["reports"]["codequality"])
    (problem,) = json.loads(report.read_text())
    assert problem["location"] == {"path": "doc/configuration.txt", "lines": {"begin": 10}}
    quiet = gitlab(".dconv-check", DCONV="dconv.whl", DCONV_OPTIONS="--since HEAD")
    assert (quiet.returncode, quiet.stdout, json.loads(report.read_text())) == (0, "", [])
    assert "name what pip shall install" in gitlab(".dconv-check").stderr


def test_the_build_of_the_template(installed: Path) -> None:
    Path("site.toml").write_text(SITE.format(repository=installed))
    completed = gitlab(".dconv-build", DCONV="dconv.whl")
    assert completed.returncode == 0, completed.stderr
    jobs = read(EXAMPLES / "gitlab-template.yml")
    (folder,) = jobs[".dconv-build"]["artifacts"]["paths"]
    assert (installed / folder / "index.html").exists()
    (cached_path,) = jobs[".dconv"]["cache"]["paths"]
    assert jobs[".dconv"]["variables"]["XDG_CACHE_HOME"] == f"$CI_PROJECT_DIR/{cached_path}"


# --- all examples -----------------------------------------------------------------------------


def commands() -> Iterator[tuple[str, str]]:
    """Each command line of dconv in our jobs: the file, the line."""
    for path in [EXAMPLES / name for name in JOBS]:
        for match in re.finditer(r"^ *- (dconv .*)$", path.read_text("utf-8"), re.MULTILINE):
            yield path.name, match[1]


@pytest.mark.parametrize(("name", "line"), list(commands()))
def test_the_commands_of_the_examples_are_valid(name: str, line: str) -> None:
    """The words that stand for variables are names of files; `--…` among them are tried above."""
    words = shlex.split(re.sub(r"\$DCONV_OPTIONS\b", "", line))
    assert arguments.parse(words[1:]).command == words[1], name


def test_the_manual_shows_each_example_whole() -> None:
    manual = (resource_folder("manuals") / "dconv/manual.txt").read_text("utf-8")
    assert len(JOBS) >= 5
    for name in [*JOBS, "site.toml"]:
        assert textwrap.indent((EXAMPLES / name).read_text("utf-8"), "    ") in manual, name


def test_the_example_site_toml_loads() -> None:
    site = load_site(EXAMPLES / "site.toml", load_products([resource_folder("manuals")]))
    assert site.compress
    releases = {release.version for release in site.products[0].releases}
    assert {"3.5", "3.4"} <= releases
