"""The network in PyTorch. Arguments: FOLDER THREADS; protocol: serve.ts beside this folder."""

import json
import math
import os
import resource
import sys
import time
from pathlib import Path

FOLDER, THREADS = Path(sys.argv[1]), sys.argv[2]
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = THREADS
# As ours: threads wait without spinning. Where anything else runs, spinning ones are ten times as slow.
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

REFERENCE_BLAS = "the reference BLAS"


class Network:
    def __init__(self, task):
        spec = task["spec"]
        self.days, self.width = spec["sequence_length"], spec["hidden_channels"]
        self.heads, self.layers = spec["num_heads"], spec["layers"]
        flat = np.fromfile(FOLDER / "parameters.f32", np.float32)
        self.parameters = {}
        for entry in task["parameters"]:
            values = flat[entry["offset"] :][: math.prod(entry["shape"])].reshape(entry["shape"])
            self.parameters[entry["name"]] = torch.from_numpy(values.copy()).requires_grad_()
        settings = task["optimizer"]
        self.clip = settings["clip"]
        self.learning_rates = task["learning_rates"]
        self.steps = 0
        self.optimizer = torch.optim.AdamW(
            [
                {
                    "params": [self.parameters[e["name"]] for e in task["parameters"] if e["decay"] == decay],
                    "weight_decay": settings["weightDecay"] if decay else 0.0,
                }
                for decay in (True, False)
            ],
            betas=(settings["beta1"], settings["beta2"]),
            eps=settings["epsilon"],
            foreach=True,
        )

    def step(self, inputs, targets):
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rates[min(self.steps, len(self.learning_rates) - 1)]
        self.steps += 1
        loss = F.mse_loss(self.forward(inputs), targets)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.clip)
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def predict(self, inputs):
        return self.forward(inputs)

    def forward(self, inputs):
        batch = len(inputs)
        x = self.linear(inputs.reshape(batch * self.days, -1), "input").reshape(batch, self.days, self.width)
        x = (x + self.parameters["positions"]).reshape(batch * self.days, self.width)
        for n in range(self.layers):
            attention, feedforward = f"block{n}.attention", f"block{n}.feedforward"
            # As ours: of the last block only the last day is read.
            asking = 1 if n == self.layers - 1 else self.days
            attended = self.attention(self.norm(x, f"{attention}.norm"), attention, asking)
            x = x.reshape(batch, self.days, self.width)[:, -asking:].reshape(batch * asking, self.width) + attended
            wide = self.linear(self.norm(x, f"{feedforward}.norm"), f"{feedforward}.wide")
            x = x + self.linear(F.relu(wide), f"{feedforward}.output")
        return self.linear(self.norm(x, "norm"), "head")

    def attention(self, x, name, asking):
        q, k, v = (
            part.reshape(-1, self.days, self.heads, self.width // self.heads).transpose(1, 2)
            for part in self.linear(x, f"{name}.qkv").split(self.width, dim=1)
        )
        scores = q[:, :, -asking:] @ k.transpose(-1, -2) / math.sqrt(self.width / self.heads)
        heard = torch.softmax(scores, -1) @ v
        return self.linear(heard.transpose(1, 2).reshape(-1, self.width), f"{name}.output")

    def linear(self, x, name):
        return torch.addmm(self.parameters[f"{name}.bias"], x, self.parameters[f"{name}.weight"])

    def norm(self, x, name):
        return F.layer_norm(x, (self.width,), self.parameters[f"{name}.gain"], self.parameters[f"{name}.bias"])


def measure(amount, once):
    def cpu():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    ms, used, until = [], cpu(), time.perf_counter() + amount["seconds"]
    while len(ms) < amount["times"] or time.perf_counter() < until:
        began = time.perf_counter()
        once()
        ms.append((time.perf_counter() - began) * 1e3)
    return {"ms": ms, "cpuMs": (cpu() - used) * 1e3}


def blas():
    """Debian brings its reference BLAS along, and with another one the same PyTorch is several times as fast."""
    maps = Path("/proc/self/maps")
    loaded = maps.read_text() if maps.exists() else ""
    for name, known_as in {"openblas": "OpenBLAS", "mkl": "MKL", "blis": "BLIS", "libblas": REFERENCE_BLAS}.items():
        if name in loaded:
            return known_as
    return "a BLAS of its own"


def reply(message):
    print(json.dumps(message), flush=True)


def main():
    torch.set_num_threads(int(THREADS))
    torch.set_flush_denormal(True)
    task = json.loads((FOLDER / "task.json").read_text())
    spec, batches, batch = task["spec"], task["batches"], task["batch_size"]
    inputs = torch.from_numpy(np.fromfile(FOLDER / "inputs.f32", np.float32))
    inputs = inputs.reshape(batches, batch, spec["sequence_length"], spec["features"])
    targets = torch.from_numpy(np.fromfile(FOLDER / "targets.f32", np.float32)).reshape(batches, batch, -1)
    network = Network(task)
    slow = "its BLAS is the slow reference one, so being faster means nothing: install libopenblas0"
    reply(
        {
            "library": f"PyTorch {torch.__version__}, {blas()}",
            "remark": slow if blas() == REFERENCE_BLAS else None,
        }
    )
    steps = 0
    for line in sys.stdin:
        request = json.loads(line)
        losses, outputs = [], []

        def train():
            nonlocal steps
            losses.append(network.step(inputs[steps % batches], targets[steps % batches]))
            steps += 1

        def predict():
            outputs[:] = network.predict(inputs[0]).flatten().tolist()

        measured = measure(request, {"train": train, "predict": predict}[request["do"]])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
        reply({**measured, "losses": losses, "outputs": outputs, "peakMb": peak})


main()
