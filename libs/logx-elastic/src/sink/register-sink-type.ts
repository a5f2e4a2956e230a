import fs from 'node:fs';
import type { Fields } from '@apix/logx/core';
import { registerShippingType } from '@apix/logx/shipping';
import type { ElasticConfig, ElasticTls } from '../config/elastic-config.js';
import { resolveConfig } from '../config/resolve-config.js';
import { ELASTIC_TIMES, elasticSink } from './elastic-sink.js';

/** The `type` of the sink in configuration documents. */
export const ELASTIC_SINK_TYPE = 'elasticsearch';

/** Registers the type with logx. */
export function registerElasticSinkType(): void {
  registerShippingType({
    type: ELASTIC_SINK_TYPE,
    formats: ['ecs', 'json'],
    timeFormats: ELASTIC_TIMES,
    read: readOptions,
    check: resolveConfig,
    make: (config) => elasticSink(config),
  });
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
    throw new TypeError('must be an array of strings');
  });
}

/** In a document, certificates are names of files. */
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
