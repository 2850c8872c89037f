// Runs in the browser, at the end of /docs/viewer.js: starts Swagger UI on the page. The build appends it to the bundle.

/** The settings of Swagger UI that are used. */
interface ViewerSettings {
  readonly url: string;
  readonly dom_id: string;
  readonly validatorUrl: null;
  readonly persistAuthorization: false;
  readonly queryConfigEnabled: false;
  readonly deepLinking: false;
  readonly displayRequestDuration: true;
  readonly docExpansion: 'list';
  readonly defaultModelsExpandDepth: number;
  readonly responseInterceptor: (reply: ViewerReply) => ViewerReply;
}

interface ViewerReply {
  readonly url: string;
  text: string;
}

/** The part of the OpenAPI document that is changed. */
interface ViewedDocument {
  readonly components: { readonly parameters?: Readonly<Record<string, ViewedParameter>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: ViewedParameter[] }>>>>;
}

interface ViewedParameter {
  readonly required?: boolean;
  example?: unknown;
}

declare const SwaggerUIBundle: (settings: ViewerSettings) => unknown;
declare const document: { querySelector(selector: string): { readonly dataset: Readonly<Record<string, string>> } };

const { document: url = '' } = document.querySelector('#viewer').dataset;

SwaggerUIBundle({
  url,
  dom_id: '#viewer',
  // Otherwise the document is sent to a validator on the internet.
  validatorUrl: null,
  // A key stays in the memory of the page; nothing in the address of the page changes what it does.
  persistAuthorization: false,
  queryConfigEnabled: false,
  deepLinking: false,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  responseInterceptor: (reply) => {
    if (reply.url.endsWith(url)) reply.text = JSON.stringify(withoutExamples(JSON.parse(reply.text) as ViewedDocument));
    return reply;
  },
});

/**
 * Examples are filled in and sent. That of an optional parameter must not be: the second command would be taken for a
 * repetition of the first, by its Idempotency-Key.
 */
function withoutExamples(viewed: ViewedDocument): ViewedDocument {
  const ofOperations = Object.values(viewed.paths).flatMap((path) =>
    Object.values(path).flatMap(({ parameters = [] }) => parameters),
  );
  for (const parameter of [...ofOperations, ...Object.values(viewed.components.parameters ?? {})])
    if (parameter.required !== true) delete parameter.example;
  return viewed;
}

export {};
