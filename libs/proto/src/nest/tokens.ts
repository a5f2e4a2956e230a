/** Token of the options of ProtoModule. */
export const PROTO_OPTIONS = Symbol.for('apix.proto.Options');
