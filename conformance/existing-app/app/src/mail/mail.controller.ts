import { InjectQueue } from '@nestjs/bullmq';
import { Body, Controller, Get, NotFoundException, Param, Post } from '@nestjs/common';
import type { Queue } from 'bullmq';

@Controller('mails')
export class MailController {
  constructor(@InjectQueue('mail') private readonly queue: Queue) {}

  @Post()
  async send(@Body() mail: { to: string; name?: string }): Promise<object> {
    const { id } = await this.queue.add(mail.name ?? 'letter', { to: mail.to });
    return { id };
  }

  @Get(':id')
  async find(@Param('id') id: string): Promise<object> {
    const state = await this.queue.getJobState(id);
    const job = await this.queue.getJob(id);
    if (job === undefined) throw new NotFoundException();
    return { state, result: job.returnvalue };
  }
}
