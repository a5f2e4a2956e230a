import { create } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { CurrentSubject, type Subject } from '@apix/authz';
import { GrpcService } from '@apix/grpc';
import { Payload } from '@nestjs/microservices';
import { type Observable, map } from 'rxjs';
import { type ChatMessage, ChatMessageSchema, Support } from '../gen/shop/v1/support_pb.js';

/** shop.v1.Support: repeats each message that it receives. */
@GrpcService(Support)
export class SupportController {
  chat(
    @Payload() messages: Observable<ChatMessage>,
    @CurrentSubject() who: Subject,
  ): Observable<ChatMessage> {
    return messages.pipe(
      map(({ text }) =>
        create(ChatMessageSchema, {
          author: 'support',
          text: `${who.id ?? 'You'} said: ${text}`,
          time: timestampNow(),
        }),
      ),
    );
  }
}
