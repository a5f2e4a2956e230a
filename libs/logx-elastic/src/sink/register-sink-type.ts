import fs from 'node:fs';
import { type Fields, registerSinkType, type SinkFactory } from '@apix/logx/core';
import { elasticSink } from './elastic-sink.js';
import { documentSinks } from './elastic-sinks.js';
import type { ElasticConfig, ElasticTls } from '../config/elastic-config.js';
import { resolveConfig } from '../config/resolve-config.js';

/** The `type` of the sink in configuration documents. */
export const ELASTIC_SINK_TYPE = 'elasticsearch';

const factory: SinkFactory = (_, entry) => {
  const config = entry.decodeOptions(readOptions);
  if (entry.format !== undefined && entry.format !== 'ecs' && entry.format !== 'json') {
    throw new RangeError(`Elasticsearch takes the formats ecs and json, not ${entry.format}`);
  }
  resolveConfig(config);
  return {
    kind: ELASTIC_SINK_TYPE,
    format: 'ecs',
    open(context) {
      const sink = elasticSink(config);
      const opened = sink.open(context);
      documentSinks.add(sink);
      return {
        ...opened,
        async close(deadline) {
          documentSinks.delete(sink);
          await opened.close?.(deadline);
        },
      };
    },
  };
};

/** Makes the type known to logx. */
export function registerElasticSinkType(): void {
  registerSinkType(ELASTIC_SINK_TYPE, factory);
}

function readOptions(fields: Fields): ElasticConfig {
  return {
    addresses: texts(fields, 'addresses') ?? [],
    index: fields.text('index') ?? '',
    action: fields.oneOf('action', ['index', 'create']),
    username: fields.text('username'),
    password: fields.text('password'),
    apiKey: fields.text('apiKey'),
    tls: readTls(fields.within('tls')),
    batchSize: fields.amount('batchSize'),
    batchBytes: fields.amount('batchBytes'),
    flushInterval: fields.duration('flushInterval'),
    queueSize: fields.amount('queueSize'),
    queueBytes: fields.amount('queueBytes'),
    maxRetries: fields.amount('maxRetries'),
    retryDelay: fields.duration('retryDelay'),
    timeout: fields.duration('timeout'),
    concurrency: fields.amount('concurrency'),
    gzip: fields.flag('gzip'),
    spool: readSpool(fields.within('spool')),
    health: fields.oneOf('health', ['ready', 'live']),
  };
}

function texts(fields: Fields, name: string): readonly string[] | undefined {
  return fields.parsed(name, (value) => {
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw new TypeError('must be a list of texts');
  });
}

/** In a document certificates are files. */
function readTls(fields: Fields | undefined): ElasticTls | undefined {
  if (fields === undefined) return undefined;
  const read = (name: string) => fields.parsedText(name, (path) => fs.readFileSync(path));
  const tls = {
    ca: read('caFile'),
    cert: read('certFile'),
    key: read('keyFile'),
    passphrase: fields.text('passphrase'),
  };
  fields.refuseOthers();
  return tls;
}

function readSpool(fields: Fields | undefined): ElasticConfig['spool'] {
  if (fields === undefined) return undefined;
  const spool = { path: fields.text('path') ?? '', maxBytes: fields.amount('maxBytes') };
  fields.refuseOthers();
  return spool;
}
