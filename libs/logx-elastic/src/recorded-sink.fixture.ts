import { type ElasticSink, type ElasticSinkOptions, elasticSink } from './sink/elastic-sink.js';

/** A sink whose requests are all taken, and kept in `bodies`. */
export function recordedSink(options?: ElasticSinkOptions): {
  readonly sink: ElasticSink;
  readonly bodies: readonly string[];
} {
  const bodies: string[] = [];
  const client = {
    post: async ({ body }: { readonly body: Uint8Array }) => {
      bodies.push(Buffer.from(body).toString());
      const reply = Buffer.from('{"took":1,"errors":false,"items":[]}');
      return { status: 200, headers: {}, body: reply };
    },
  };
  const sink = elasticSink({ addresses: ['http://es'], index: 'logs', client }, options);
  return { sink, bodies };
}
