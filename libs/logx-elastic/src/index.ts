import { registerElasticSinkType } from './sink/register-sink-type.js';

registerElasticSinkType();

export { elasticSink } from './sink/elastic-sink.js';
export { ELASTIC_SINK_TYPE } from './sink/register-sink-type.js';
export type { ElasticConfig, ElasticTls, SpoolConfig } from './config/elastic-config.js';
export type { ElasticSink, ElasticSinkOptions, ElasticStats } from './sink/elastic-sink.js';

export type { HttpClient, HttpReply, HttpRequest } from './wire/http-client.js';
