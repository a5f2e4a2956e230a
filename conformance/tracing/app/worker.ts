import 'reflect-metadata';
import { runHost } from '@apix/hostx';
import { InjectLogger, type Logger } from '@apix/logx';
import { Traced } from '@apix/otel';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, Injectable, Module } from '@nestjs/common';
import type { Job } from 'bullmq';
import { base } from './base.js';
import { jobs } from './jobs.js';
import { sayReady } from './settings.js';

@Injectable()
class Mailer {
  constructor(@InjectLogger('mailer') private readonly logger: Logger) {}

  @Traced()
  send(order: string): void {
    this.logger.information('Mailed {Order}', order);
  }
}

@Processor('mail')
class MailProcessor extends WorkerHost {
  constructor(@Inject(Mailer) private readonly mailer: Mailer) {
    super();
  }

  process(job: Job<{ name: string }>): Promise<void> {
    this.mailer.send(job.data.name);
    return Promise.resolve();
  }
}

/** The third process, which gets jobs. */
@Module({ imports: [...base('worker'), ...jobs], providers: [Mailer, MailProcessor] })
class Worker {}

void runHost(Worker, {
  nest: { logger: false },
  http: false,
  drain: { delay: 0 },
  extend: (builder) => void builder.onStarted(sayReady),
});
