import SwaggerUI, { type Plugin, type Props } from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import { API_READER } from '#messages/api-docs.js'
import { OPENAPI_PATH } from '#web/content/site/api-docs.ts'
import '../styles/api-reader.css'

/**
 * Adapts Swagger UI. Leaves out title and server, which the page states; names its controls; puts no link in
 * a button. Shows our texts as they are: Swagger UI's Markdown needs innerHTML, which Trusted Types forbid.
 */
const adaptation: Plugin = ({ React: { createElement } }) => ({
  components: {
    Calls: ({ getComponent }) =>
      createElement(
        'div',
        { className: 'swagger-ui' },
        createElement(getComponent('AuthorizeBtnContainer', true)),
        createElement(getComponent('operations', true)),
      ),
    Markdown: ({ source }) => (source ? createElement('p', null, source) : null),
    DeepLink: ({ text }) => createElement('span', null, text),
    CloseIcon: () => createElement('span', { role: 'img', 'aria-label': API_READER.close }, '×'),
  },
  wrapComponents: {
    Input: withLabel(({ placeholder }) => placeholder),
    TextArea: withLabel(() => API_READER.requestBody),
    // No label: the one that Swagger UI gives a button differs from the button's text.
    Button: withLabel(() => undefined),
  },
})

function withLabel(
  labelOf: (props: Props) => string | undefined,
): ReturnType<Plugin>['wrapComponents'][string] {
  return (Original, { React }) =>
    (props) =>
      React.createElement(Original, { ...props, 'aria-label': labelOf(props) })
}

/** Replaces the list of calls with Swagger UI, which shows their schemas and can make them. */
export async function showApiReader(list: Element) {
  const response = await fetch(OPENAPI_PATH)
  SwaggerUI({
    domNode: list,
    spec: await response.json(),
    layout: 'Calls', // The component above.
    plugins: [adaptation],
    // By default, Swagger UI sends the document's address to a validator on another site.
    validatorUrl: null,
    deepLinking: true,
    docExpansion: 'list',
    syntaxHighlight: { activated: false },
    requestInterceptor: (request: object) => ({ ...request, credentials: 'same-origin' }),
  })
}
