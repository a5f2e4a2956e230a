import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { MailController } from './mail.controller.js';
import { MailProcessor } from './mail.processor.js';

@Module({
  imports: [BullModule.registerQueue({ name: 'mail' })],
  controllers: [MailController],
  providers: [MailProcessor],
})
export class MailModule {}
