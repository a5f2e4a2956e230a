import { GrpcService } from '@apix/grpc';
import { type Observable, map } from 'rxjs';
import { type ChatMessage, Support } from './gen/shop/v1/support_pb.js';

@GrpcService(Support)
export class SupportController {
  chat(messages: Observable<ChatMessage>) {
    return messages.pipe(map(({ text }) => ({ author: 'shop', text: `${text}?` })));
  }
}
