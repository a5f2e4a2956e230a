import { Module } from '@nestjs/common';
import { DemoIssuer } from './demo-issuer.js';

@Module({ providers: [DemoIssuer], exports: [DemoIssuer] })
export class IdentityModule {}
