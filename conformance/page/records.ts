import type { SubjectFunc } from '@apix/authz';
import { Controller } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, interval, map, take, toArray } from 'rxjs';

interface Ask {
  readonly name: string;
}

interface Answer {
  readonly text: string;
}

/** The callers that have the token `ada`. */
export const recordsSubject: SubjectFunc = ({ metadata }) =>
  metadata.get('authorization')[0] === 'Bearer ada'
    ? { id: 'ada', roles: ['user'], permissions: [] }
    : null;

/** The records, for those who call methods from the page. */
@Controller()
export class Records {
  @GrpcMethod('Records', 'Ping')
  ping({ name }: Ask): Answer {
    return { text: `pong ${name}` };
  }

  @GrpcMethod('Records', 'Spend')
  spend({ name }: Ask): Answer {
    return { text: `spent by ${name}` };
  }

  @GrpcMethod('Records', 'Get')
  get({ name }: Ask): Answer {
    return { text: name };
  }

  /** An answer every tenth of a second, for half a minute. */
  @GrpcMethod('Records', 'Watch')
  watch({ name }: Ask): Observable<Answer> {
    return interval(100).pipe(
      take(300),
      map((n) => ({ text: `${name} ${n}` })),
    );
  }

  @GrpcStreamMethod('Records', 'Upload')
  upload(asks: Observable<Ask>): Observable<Answer> {
    const all = asks.pipe(toArray());
    return all.pipe(map((each) => ({ text: each.map(({ name }) => name).join(', ') })));
  }

  @GrpcStreamMethod('Records', 'Chat')
  chat(asks: Observable<Ask>): Observable<Answer> {
    return asks.pipe(map(({ name }) => ({ text: name })));
  }
}
