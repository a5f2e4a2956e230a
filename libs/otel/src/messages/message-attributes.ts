/** Attributes of the conventions for messaging. */
export const MESSAGING_SYSTEM = 'messaging.system.name';
export const MESSAGING_OPERATION_NAME = 'messaging.operation.name';
export const MESSAGING_OPERATION_TYPE = 'messaging.operation.type';
export const MESSAGING_DESTINATION_NAME = 'messaging.destination.name';
export const MESSAGING_PARTITION = 'messaging.destination.partition.id';
export const MESSAGING_MESSAGE_ID = 'messaging.message.id';
export const MESSAGING_BATCH_COUNT = 'messaging.batch.message_count';
export const MESSAGING_KAFKA_OFFSET = 'kafka.offset';

/** Of the conventions for networks: that of a message over a WebSocket. */
export const NETWORK_PROTOCOL_NAME = 'network.protocol.name';

/** The host's name of a unit of work. */
export const WORK_KIND = 'hostx.work.kind';
export const WORK_NAME = 'hostx.work.name';
