import { Tracing, bullmqTelemetry } from '@apix/otel';
import { BullModule } from '@nestjs/bullmq';
import { HOST, setting } from './settings.js';

/** The queue of mails, on both of its sides. */
export const jobs = [
  BullModule.forRootAsync({
    inject: [Tracing],
    useFactory: (tracing: Tracing) => ({
      connection: { host: HOST, port: Number(setting('REDIS_PORT')) },
      telemetry: bullmqTelemetry({ tracing }),
    }),
  }),
  BullModule.registerQueue({ name: 'mail' }),
];
