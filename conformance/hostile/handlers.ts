import { DefaultRequires, Public, Requires } from '@apix/authz';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import {
  GrpcMethod,
  GrpcStreamMethod,
  MessagePattern,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import { Metadata, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Observable, concatMap, interval, map, of } from 'rxjs';

/** What of a note the handlers look at. */
interface Note {
  readonly text?: string;
}

/** How often a handler for keepers alone has run. */
export const entered = { vault: 0 };

const LARGE = 5 * 2 ** 20;

/** 1 MiB in 64 messages, each with bytes of its own. */
function shower(): readonly { readonly payload: Uint8Array }[] {
  return Array.from({ length: 64 }, () => ({ payload: new Uint8Array(2 ** 14) }));
}

function enter<T>(value: T): T {
  entered.vault += 1;
  return value;
}

@Controller()
export class Vault {
  @GrpcMethod('Vault', 'Read') read(note: Note) {
    return enter(note);
  }
  @GrpcMethod('Vault', 'Write') write(note: Note) {
    return enter(note);
  }
  @GrpcMethod('Vault', 'Seal') seal(note: Note) {
    return enter(note);
  }
  @GrpcMethod('Vault', 'Remove') remove(note: Note) {
    return enter(note);
  }
  @GrpcMethod('Vault', 'Follow') follow(note: Note) {
    return of(note, note, note).pipe(map(enter));
  }
  @GrpcStreamMethod('Vault', 'Talk') talk(notes: Observable<Note>) {
    return notes.pipe(map(enter));
  }
}

@Controller()
export class Porch {
  @GrpcMethod('Porch', 'Greet') greet(note: Note) {
    return note;
  }
  @GrpcMethod('Porch', 'Echo') echo(note: Note) {
    return note;
  }
  @GrpcMethod('Porch', 'Wait') async wait(note: Note) {
    await sleep(1_500);
    return note;
  }
  @GrpcMethod('Porch', 'Names') names(_: Note, metadata: Metadata) {
    return { text: Object.keys(metadata.getMap()).toSorted().join(' ') };
  }
  @GrpcMethod('Porch', 'Fail') fail() {
    const metadata = new Metadata();
    metadata.set('x-reason', 'closed');
    throw new RpcException({ code: status.FAILED_PRECONDITION, message: 'closed', metadata });
  }
  @GrpcMethod('Porch', 'Tag') tag(
    note: Note,
    _: Metadata,
    call: ServerUnaryCall<unknown, unknown>,
  ) {
    const metadata = new Metadata();
    metadata.add('etag', '"one"');
    metadata.add('etag', '"two"');
    call.sendMetadata(metadata);
    return note;
  }
  @GrpcMethod('Porch', 'Fill') fill() {
    return { payload: new Uint8Array(LARGE) };
  }
  @GrpcMethod('Porch', 'Watch') watch(note: Note) {
    return interval(100).pipe(map(() => note));
  }
  @GrpcMethod('Porch', 'Pour') pour() {
    return interval(1).pipe(concatMap(shower));
  }
  @GrpcStreamMethod('Porch', 'Talk') talk(notes: Observable<Note>) {
    return notes;
  }
}

@Controller()
export class Attic {
  @GrpcMethod('Attic', 'Look') look(note: Note) {
    return note;
  }
}

/** Hand-written HTTP. */
@Controller('desk')
@DefaultRequires({ roles: { anyOf: ['keeper'] } })
export class Desk {
  @Get(':id') read(@Param('id') id: string) {
    return enter({ id });
  }
  @Post() write(@Body() body: unknown) {
    return enter({ body });
  }
  @Get('open/:id') @Public() open(@Param('id') id: string) {
    return { id };
  }
  @Post('open') @Public() echo(@Body() body: unknown) {
    return { body };
  }
}

/** Messages of Nest's TCP transport, which have no headers: whoever sends them is anonymous. */
@Controller()
export class Mail {
  @MessagePattern('vault', Transport.TCP)
  @Requires({ roles: { anyOf: ['keeper'] } })
  vault(data: unknown) {
    return enter({ data });
  }
  @MessagePattern('porch', Transport.TCP) @Public() porch(data: unknown) {
    return { data };
  }
}
