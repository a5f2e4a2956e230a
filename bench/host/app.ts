import { Controller, Get, Injectable, Module } from '@nestjs/common';

@Controller()
class Hello {
  @Get() hello() {
    return 'hello';
  }
}

/** As many providers as a small service has. */
const providers = Array.from({ length: 50 }, () => {
  @Injectable()
  class Provider {}
  return Provider;
});

@Module({ controllers: [Hello], providers })
export class App {}

/** Tells the parent that requests are served, and what memory that took. */
export function ready(): void {
  process.stdout.write(`${JSON.stringify({ rss: process.memoryUsage().rss })}\n`);
}
