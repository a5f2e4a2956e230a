import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';

const MESSAGES = [
  ['message place', 'orders.place', { itemName: 'tea', cents: 3 }],
  ['message place what is invalid', 'orders.place', { itemName: 'x', cents: 0.5 }],
  ['message place what is out of stock', 'orders.place', { itemName: 'moon', cents: 1 }],
];

/** What senders of messages get back over Redis. */
export async function messageAnswers({ redis }) {
  const client = messageClient(redis);
  const answers = {};
  for (const [name, pattern, data] of MESSAGES) {
    answers[name] = await firstValueFrom(client.send(pattern, data)).then(
      (value) => ({ value }),
      (error) => ({ error }),
    );
  }
  await client.close();
  return answers;
}

/** A client of Nest's Redis transport. */
export function messageClient({ port }) {
  return ClientProxyFactory.create({
    transport: Transport.REDIS,
    options: { host: '127.0.0.1', port },
  });
}
