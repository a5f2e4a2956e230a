import { registerElasticSinkType } from './sink/register-sink-type.js';

registerElasticSinkType();

export { elasticSink, ElasticSink } from './sink/elastic-sink.js';
export { ElasticSinks } from './sink/elastic-sinks.js';
export { ELASTIC_SINK_TYPE } from './sink/register-sink-type.js';
export type { ElasticConfig, ElasticTls, SpoolConfig } from './config/elastic-config.js';
export type { ElasticSinkOptions } from './sink/elastic-sink.js';
export type { ElasticStats } from './queue/account.js';

export type { HttpClient, HttpReply, HttpRequest } from './wire/http-client.js';
