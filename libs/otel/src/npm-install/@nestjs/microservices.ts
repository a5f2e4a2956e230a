/** Why: docs/decisions/0240 */
export { Transport } from '@nestjs/microservices';
export {
  IdentitySerializer,
  KafkaRequestSerializer,
  MqttRecordSerializer,
  NatsRecordSerializer,
  RmqRecordSerializer,
} from '@nestjs/microservices/serializers/index.js';
