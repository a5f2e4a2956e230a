// Copied into the dist/ of the repository that is measured; footprint.act() waits for one run.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { CronModule, Every } from '../libs/cron/src/index.js';
import { HostxModule, runHost } from '../libs/hostx/src/index.js';
import { LogxModule, fileSink } from '../libs/logx/src/index.js';

let whenRun = () => {};

class Job {
  work() {
    // What the job's runner does after the run belongs to the run.
    setTimeout(whenRun, 5);
  }
}
Every('footprint', '30ms')(
  Job.prototype,
  'work',
  Object.getOwnPropertyDescriptor(Job.prototype, 'work'),
);
Injectable()(Job);

class App {}
Module({
  imports: [
    LogxModule.forRoot({ sinks: [fileSink(process.argv[2])] }),
    HostxModule.forRoot({ http: { port: 0 } }),
    CronModule.forRoot({}),
  ],
  providers: [Job],
})(App);

globalThis.footprint = { act: () => new Promise((resolve) => (whenRun = resolve)) };
console.log('ready');
await runHost(App);
