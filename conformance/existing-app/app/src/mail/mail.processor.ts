import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { Supplier } from '../store/supplier.js';

@Processor('mail')
export class MailProcessor extends WorkerHost {
  constructor(private readonly supplier: Supplier) {
    super();
  }

  async process(job: Job<{ to: string }>): Promise<string> {
    if (job.name === 'slow') return this.supplier.order('job');
    return `sent to ${job.data.to}`;
  }
}
