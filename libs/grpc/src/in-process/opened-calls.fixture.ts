import type { InProcessServer, InProcessSettings } from '@apix/calls';
import { thrownText } from '@apix/contracts';
import { type DescMethod, isMessage } from '@bufbuild/protobuf';
import { type InterceptingCall, type Interceptor, status } from '@grpc/grpc-js';
import { GrpcJsCaller } from './grpc-js-caller.js';
import type { InProcessCall } from './in-process-call.js';
import type { WriteAnswer } from './message-path.js';

/**
 * For a client of grpc-js: makes its calls by `open`. Messages of protobuf-es are handed over, and other
 * values are encoded by the client.
 */
export function openingCalls(
  server: InProcessServer,
  methodOf: (path: string) => DescMethod | undefined,
  settings?: InProcessSettings,
  writeAnswer?: WriteAnswer,
): Interceptor {
  return (options) =>
    new GrpcJsCaller(({ method_definition: definition }, sent, deadline, listener) => {
      const { path, requestSerialize } = definition;
      const method = methodOf(path)!;
      const head = { method, path, metadata: sent.clone(), deadline, writeAnswer };
      const call = server.open<object>(head, listener, settings) as InProcessCall;
      const send = call.send.bind(call);
      call.send = (message, context) => {
        let bytes: Buffer;
        try {
          if (isMessage(message, method.input)) return send(message, context);
          bytes = requestSerialize(message);
        } catch (error) {
          const details = `Request message serialization failure: ${thrownText(error)}`;
          call.end({ code: status.INTERNAL, details });
          return;
        }
        send(bytes, context);
      };
      return call;
    }, options) as unknown as InterceptingCall;
}
