/** Rules that the gateway must refuse, and why. */
export interface RuleExceptions {
  readonly reason: string;
  /** A part of what the gateway says about each of them. */
  readonly mistake: string;
  /** HTTP methods and paths by the method, `shop.v1.Catalog/Get`. */
  readonly rules: Readonly<Record<string, readonly string[]>>;
}

/** Each of them must be refused: remove one that is not. */
export const EXCEPTIONS: readonly RuleExceptions[] = [
  {
    reason: 'http.proto allows "**" only as the last segment',
    mistake: '"**" must be the last segment',
    rules: {
      'google.cloud.discoveryengine.v1.CompletionService/PurgeSuggestionDenyListEntries': [
        'POST /v1/{parent=projects/*/locations/*/dataStores/**}/suggestionDenyListEntries:purge',
      ],
      'google.cloud.discoveryengine.v1alpha.CompletionService/PurgeSuggestionDenyListEntries': [
        'POST /v1alpha/{parent=projects/*/locations/*/dataStores/**}/suggestionDenyListEntries:purge',
      ],
      'google.cloud.discoveryengine.v1beta.CompletionService/PurgeSuggestionDenyListEntries': [
        'POST /v1beta/{parent=projects/*/locations/*/dataStores/**}/suggestionDenyListEntries:purge',
      ],
      'google.cloud.kms.inventory.v1.KeyTrackingService/GetProtectedResourcesSummary': [
        'GET /v1/{name=projects/*/locations/*/keyRings/*/cryptoKeys/**}/protectedResourcesSummary',
      ],
      'google.cloud.managedkafka.schemaregistry.v1.ManagedSchemaRegistry/GetRawSchema': [
        'GET /v1/{name=projects/*/locations/*/schemaRegistries/*/schemas/**}/schema',
        'GET /v1/{name=projects/*/locations/*/schemaRegistries/*/contexts/*/schemas/**}/schema',
      ],
      'google.cloud.managedkafka.schemaregistry.v1.ManagedSchemaRegistry/ListSchemaVersions': [
        'GET /v1/{parent=projects/*/locations/*/schemaRegistries/*/schemas/**}/versions',
        'GET /v1/{parent=projects/*/locations/*/schemaRegistries/*/contexts/*/schemas/**}/versions',
      ],
      'google.cloud.managedkafka.schemaregistry.v1.ManagedSchemaRegistry/ListSubjectsBySchemaId': [
        'GET /v1/{parent=projects/*/locations/*/schemaRegistries/*/schemas/**}/subjects',
        'GET /v1/{parent=projects/*/locations/*/schemaRegistries/*/contexts/*/schemas/**}/subjects',
      ],
      'google.devtools.remoteworkers.v1test2.Bots/CreateBotSession': [
        'POST /v1test2/{parent=**}/botSessions',
      ],
      'google.devtools.remoteworkers.v1test2.Bots/UpdateBotSession': [
        'PATCH /v1test2/{name=**/botSessions/*}',
      ],
      'google.firestore.v1.Firestore/ListDocuments': [
        'GET /v1/{parent=projects/*/databases/*/documents/*/**}/{collection_id}',
      ],
      'google.firestore.v1.Firestore/CreateDocument': [
        'POST /v1/{parent=projects/*/databases/*/documents/**}/{collection_id}',
      ],
      'google.firestore.v1beta1.Firestore/ListDocuments': [
        'GET /v1beta1/{parent=projects/*/databases/*/documents/*/**}/{collection_id}',
      ],
      'google.firestore.v1beta1.Firestore/CreateDocument': [
        'POST /v1beta1/{parent=projects/*/databases/*/documents/**}/{collection_id}',
      ],
    },
  },
  {
    reason: 'another method of the same package has this HTTP method and path shape',
    mistake: 'match the same requests',
    rules: {
      'google.cloud.bigquery.storage.v1.BigQueryRead/SplitReadStream': [
        'GET /v1/{name=projects/*/locations/*/sessions/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1.BigQueryWrite/CreateWriteStream': [
        'POST /v1/{parent=projects/*/datasets/*/tables/*}',
      ],
      'google.cloud.bigquery.storage.v1.BigQueryWrite/GetWriteStream': [
        'POST /v1/{name=projects/*/datasets/*/tables/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1.BigQueryWrite/FinalizeWriteStream': [
        'POST /v1/{name=projects/*/datasets/*/tables/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1.BigQueryWrite/FlushRows': [
        'POST /v1/{write_stream=projects/*/datasets/*/tables/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1beta1.BigQueryStorage/SplitReadStream': [
        'GET /v1beta1/{original_stream.name=projects/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1beta2.BigQueryRead/SplitReadStream': [
        'GET /v1beta2/{name=projects/*/locations/*/sessions/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1beta2.BigQueryWrite/CreateWriteStream': [
        'POST /v1beta2/{parent=projects/*/datasets/*/tables/*}',
      ],
      'google.cloud.bigquery.storage.v1beta2.BigQueryWrite/GetWriteStream': [
        'POST /v1beta2/{name=projects/*/datasets/*/tables/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1beta2.BigQueryWrite/FinalizeWriteStream': [
        'POST /v1beta2/{name=projects/*/datasets/*/tables/*/streams/*}',
      ],
      'google.cloud.bigquery.storage.v1beta2.BigQueryWrite/FlushRows': [
        'POST /v1beta2/{write_stream=projects/*/datasets/*/tables/*/streams/*}',
      ],
    },
  },
  {
    reason: 'ConversationalSearchService has the same methods with the same paths',
    mistake: 'match the same requests',
    rules: {
      'google.cloud.discoveryengine.v1.SessionService/CreateSession': [
        'POST /v1/{parent=projects/*/locations/*/dataStores/*}/sessions',
        'POST /v1/{parent=projects/*/locations/*/collections/*/dataStores/*}/sessions',
        'POST /v1/{parent=projects/*/locations/*/collections/*/engines/*}/sessions',
      ],
      'google.cloud.discoveryengine.v1.SessionService/DeleteSession': [
        'DELETE /v1/{name=projects/*/locations/*/dataStores/*/sessions/*}',
        'DELETE /v1/{name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'DELETE /v1/{name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1.SessionService/UpdateSession': [
        'PATCH /v1/{session.name=projects/*/locations/*/dataStores/*/sessions/*}',
        'PATCH /v1/{session.name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'PATCH /v1/{session.name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1.SessionService/GetSession': [
        'GET /v1/{name=projects/*/locations/*/dataStores/*/sessions/*}',
        'GET /v1/{name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'GET /v1/{name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1.SessionService/ListSessions': [
        'GET /v1/{parent=projects/*/locations/*/dataStores/*}/sessions',
        'GET /v1/{parent=projects/*/locations/*/collections/*/dataStores/*}/sessions',
        'GET /v1/{parent=projects/*/locations/*/collections/*/engines/*}/sessions',
      ],
      'google.cloud.discoveryengine.v1alpha.SessionService/CreateSession': [
        'POST /v1alpha/{parent=projects/*/locations/*/dataStores/*}/sessions',
        'POST /v1alpha/{parent=projects/*/locations/*/collections/*/dataStores/*}/sessions',
        'POST /v1alpha/{parent=projects/*/locations/*/collections/*/engines/*}/sessions',
      ],
      'google.cloud.discoveryengine.v1alpha.SessionService/DeleteSession': [
        'DELETE /v1alpha/{name=projects/*/locations/*/dataStores/*/sessions/*}',
        'DELETE /v1alpha/{name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'DELETE /v1alpha/{name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1alpha.SessionService/UpdateSession': [
        'PATCH /v1alpha/{session.name=projects/*/locations/*/dataStores/*/sessions/*}',
        'PATCH /v1alpha/{session.name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'PATCH /v1alpha/{session.name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1alpha.SessionService/GetSession': [
        'GET /v1alpha/{name=projects/*/locations/*/dataStores/*/sessions/*}',
        'GET /v1alpha/{name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'GET /v1alpha/{name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1alpha.SessionService/ListSessions': [
        'GET /v1alpha/{parent=projects/*/locations/*/dataStores/*}/sessions',
        'GET /v1alpha/{parent=projects/*/locations/*/collections/*/dataStores/*}/sessions',
        'GET /v1alpha/{parent=projects/*/locations/*/collections/*/engines/*}/sessions',
      ],
      'google.cloud.discoveryengine.v1beta.SessionService/CreateSession': [
        'POST /v1beta/{parent=projects/*/locations/*/dataStores/*}/sessions',
        'POST /v1beta/{parent=projects/*/locations/*/collections/*/dataStores/*}/sessions',
        'POST /v1beta/{parent=projects/*/locations/*/collections/*/engines/*}/sessions',
      ],
      'google.cloud.discoveryengine.v1beta.SessionService/DeleteSession': [
        'DELETE /v1beta/{name=projects/*/locations/*/dataStores/*/sessions/*}',
        'DELETE /v1beta/{name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'DELETE /v1beta/{name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1beta.SessionService/UpdateSession': [
        'PATCH /v1beta/{session.name=projects/*/locations/*/dataStores/*/sessions/*}',
        'PATCH /v1beta/{session.name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'PATCH /v1beta/{session.name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1beta.SessionService/GetSession': [
        'GET /v1beta/{name=projects/*/locations/*/dataStores/*/sessions/*}',
        'GET /v1beta/{name=projects/*/locations/*/collections/*/dataStores/*/sessions/*}',
        'GET /v1beta/{name=projects/*/locations/*/collections/*/engines/*/sessions/*}',
      ],
      'google.cloud.discoveryengine.v1beta.SessionService/ListSessions': [
        'GET /v1beta/{parent=projects/*/locations/*/dataStores/*}/sessions',
        'GET /v1beta/{parent=projects/*/locations/*/collections/*/dataStores/*}/sessions',
        'GET /v1beta/{parent=projects/*/locations/*/collections/*/engines/*}/sessions',
      ],
    },
  },
];
