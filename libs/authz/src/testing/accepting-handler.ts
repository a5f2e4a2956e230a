import type { DescMethod } from '@bufbuild/protobuf';
import type {
  ServerDuplexStream,
  ServerReadableStream,
  ServerWritableStream,
  UntypedHandleCall,
  sendUnaryData,
} from '@grpc/grpc-js';

const NOTHING = Buffer.alloc(0);

/** A handler that accepts everything and answers with an empty message, or an empty stream. */
export function acceptEverything({ methodKind }: DescMethod): UntypedHandleCall {
  switch (methodKind) {
    case 'unary':
      return (_: unknown, done: sendUnaryData<Buffer>) => done(null, NOTHING);
    case 'server_streaming':
      return (call: ServerWritableStream<Buffer, Buffer>) => call.end();
    case 'client_streaming':
      return (call: ServerReadableStream<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
        call.on('end', () => done(null, NOTHING));
        call.resume();
      };
    case 'bidi_streaming':
      return (call: ServerDuplexStream<Buffer, Buffer>) => {
        call.on('end', () => call.end());
        call.resume();
      };
  }
}
