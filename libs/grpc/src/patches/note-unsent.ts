import { noteFailure } from '@apix/calls/grpc';
import { type ConnectionCall, classOf, patchingCalls } from './connection-call.js';

/**
 * Has the event of a call say why its answer could not be written: grpc-js drops the error of the codec
 * and tells everybody, the stages among them, that there was one.
 */
export const notingUnsent = patchingCalls((call) => {
  call.serializeMessage = serializeOrNote;
});

function serializeOrNote(this: ConnectionCall, message: unknown): Buffer {
  try {
    return classOf(this).serializeMessage.call(this, message);
  } catch (error) {
    noteFailure(this.metadata, error);
    throw error;
  }
}
