import { noteFailure } from '@apix/calls/grpc';
import { type ConnectionCall, classOf, patchingCalls } from './connection-call.js';

/**
 * Adds to the event of a call the reason why its answer could not be written: grpc-js drops the error of
 * the codec and only reports that there was one, also to the stages.
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
