import { EventEmitter } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { LogxModule } from '../nest/logx.module.js';
import { observeHttpFailures } from './exceptions-handler.js';

/** A method as it is found, without calling it. */
const methodOf = (object: object, name: string): unknown => Reflect.get(object, name);
const nextNow = (): unknown => methodOf(ExceptionsHandler.prototype, 'next');

const QUIET = { logger: false, abortOnError: false } as const;

function appOf(): ReturnType<typeof NestFactory.create> {
  @Module({ imports: [LogxModule.forRoot({ sinks: [] })] })
  class App {}
  return NestFactory.create(App, QUIET);
}

describe('what a patch relies on', () => {
  it('ExceptionsHandler.prototype.next is a method that takes the exception and its host', () => {
    expect(nextNow()).toHaveLength(2);
    expect(Object.hasOwn(ExceptionsHandler.prototype, 'next')).toBe(true);
  });

  it('ExceptionsHandler.prototype.next is called by what Nest makes of a handler', async () => {
    const proxy = await import('@nestjs/core/router/router-proxy.js');
    expect(proxy.RouterProxy.prototype.createProxy.toString()).toContain('.next(');
  });

  it('an HTTP server emits its requests through EventEmitter.prototype.emit', () => {
    const server = createServer();
    expect(Object.hasOwn(server, 'emit')).toBe(false);
    expect(methodOf(server, 'emit')).toBe(methodOf(EventEmitter.prototype, 'emit'));
  });

  it('requests, responses and sockets have emit, write and end from their prototypes', () => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    expect(methodOf(request, 'emit')).toBe(methodOf(EventEmitter.prototype, 'emit'));
    expect(methodOf(response, 'write')).toBe(methodOf(ServerResponse.prototype, 'write'));
    expect(methodOf(response, 'end')).toBe(methodOf(ServerResponse.prototype, 'end'));
    expect([response.write.length, response.end.length]).toEqual([3, 3]);
  });
});

describe('patches', () => {
  it('are gone when the last of several apps has closed', async () => {
    const next = nextNow();
    const [one, two] = [await appOf(), await appOf()];
    await Promise.all([one.init(), two.init()]);
    const server: object = one.getHttpServer() as object;
    expect(Object.hasOwn(server, 'emit')).toBe(true);
    expect(nextNow()).not.toBe(next);
    await one.close();
    expect(Object.hasOwn(server, 'emit')).toBe(false);
    expect(nextNow()).not.toBe(next);
    await two.close();
    expect(nextNow()).toBe(next);
  });

  it('undone twice count once', () => {
    const next = nextNow();
    const [first, second] = [observeHttpFailures(), observeHttpFailures()];
    first();
    first();
    expect(nextNow()).not.toBe(next);
    second();
    expect(nextNow()).toBe(next);
  });
});
