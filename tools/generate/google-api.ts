import type { ProtoComments } from './print-proto.js';

/** The files of google/api that come with `@apix/proto`. */
export const GOOGLE_API_PATHS = ['annotations', 'field_behavior', 'http', 'httpbody'].map(
  (name) => `google/api/${name}.proto`,
);

const ORIGIN = `The declarations are those of https://github.com/googleapis/googleapis, to which they are compatible
in every language; the comments are those of apix. Generated: changes belong into tools/generate.`;

/** Our comments on their declarations. */
export const GOOGLE_API_COMMENTS: ProtoComments = {
  'google/api/annotations.proto': `The option of methods that gives them an HTTP form.\n\n${ORIGIN}`,
  'google.api.http': `How the method is called by HTTP and JSON:

    rpc Get(GetRequest) returns (Order) {
      option (google.api.http) = {get: "/v1/{name=orders/*}"};
    }`,

  'google/api/http.proto': `HTTP rules: which requests call a method, and what becomes of their parts.\n\n${ORIGIN}`,
  'google.api.Http': 'The rules of a configuration file that is apart from the .proto files.',
  'google.api.Http.rules': 'Of several rules for one method the last one counts.',
  'google.api.Http.fully_decode_reserved_expansion':
    'Whether %2F in a variable of more than one segment is decoded as well.',
  'google.api.HttpRule': `A request of HTTP for a method. The path, the body and the query fill the request message together:
what the path and the body do not name is a parameter of the query.`,
  'google.api.HttpRule.selector': `The full name of the method, such as shop.v1.Orders.Get. Only for rules outside of the .proto
file.`,
  'google.api.HttpRule.pattern': `The HTTP method and the template of the path. A variable is the path of a field, and may have a
template of its own: {name} is one segment, {name=orders/*} begins with orders, {name=files/**}
takes all segments that follow. A verb may be at the end: /v1/{name=orders/*}:cancel.`,
  'google.api.HttpRule.get': 'Reads.',
  'google.api.HttpRule.put': 'Replaces.',
  'google.api.HttpRule.post': 'Creates, or does something else.',
  'google.api.HttpRule.delete': 'Removes.',
  'google.api.HttpRule.patch': 'Changes some fields.',
  'google.api.HttpRule.custom': 'Any other HTTP method; * is every one.',
  'google.api.HttpRule.body': `The field that the body is the value of, or * for every field that is not in the path. Without
it there is no body.`,
  'google.api.HttpRule.response_body':
    'The field of the response that is the body of the answer. Without it that is the whole response.',
  'google.api.HttpRule.additional_bindings':
    'Further requests for the same method; these must not have further ones themselves.',
  'google.api.CustomHttpPattern': 'An HTTP method that has no field of its own in HttpRule.',
  'google.api.CustomHttpPattern.kind': 'The HTTP method, such as HEAD.',
  'google.api.CustomHttpPattern.path': 'The template of the path.',

  'google/api/httpbody.proto': `Bodies that are not JSON.\n\n${ORIGIN}`,
  'google.api.HttpBody': `Bytes of any type, such as a page or a picture, as a request, a response or the field that is the
body of one. Of a streaming method each message is a part of the body.`,
  'google.api.HttpBody.content_type': 'The media type: the header Content-Type.',
  'google.api.HttpBody.data': 'The bytes.',
  'google.api.HttpBody.extensions': 'Further data for the application.',

  'google/api/field_behavior.proto': `The option of fields that says how they are used.\n\n${ORIGIN}`,
  'google.api.field_behavior': `How the field is used, for documents and clients:

    string name = 1 [(google.api.field_behavior) = IDENTIFIER];`,
  'google.api.FieldBehavior': 'What holds for a field whatever its message is used for.',
  'google.api.FIELD_BEHAVIOR_UNSPECIFIED': 'Nothing; not to be used.',
  'google.api.OPTIONAL':
    'May be left out, which is worth saying where the other fields are required.',
  'google.api.REQUIRED': 'Must be set in requests.',
  'google.api.OUTPUT_ONLY': 'Set by the server; what a client sends is ignored.',
  'google.api.INPUT_ONLY': 'Never part of a response.',
  'google.api.IMMUTABLE': 'Set when the resource is made, and not changed later.',
  'google.api.UNORDERED_LIST': 'A list whose order means nothing and may differ each time.',
  'google.api.NON_EMPTY_DEFAULT':
    'Has a value in responses even if none was sent: the server chooses one that is not empty.',
  'google.api.IDENTIFIER': 'The name of the resource, which a client does not send to make one.',
};
