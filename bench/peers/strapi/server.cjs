// The product's leaderboard and claim as two content types of Strapi, with tables in the schema `strapi`.
const fs = require('node:fs')
const path = require('node:path')

// Strapi must not call its makers.
process.env.STRAPI_DISABLE_UPDATE_NOTIFICATION = 'true'
process.env.STRAPI_TELEMETRY_DISABLED = 'true'

const { createStrapi } = require('@strapi/strapi')

async function main() {
  process.chdir(__dirname)
  fs.mkdirSync(path.join(__dirname, 'public/uploads'), { recursive: true })
  const strapi = createStrapi({ appDir: __dirname, distDir: __dirname, serveAdminPanel: false })
  await strapi.start()
  const { accessKey } = await strapi
    .service('admin::api-token')
    .create({ name: `bench ${process.pid}`, description: '', type: 'full-access', lifespan: null })
  process.send({ port: strapi.server.httpServer.address().port, token: accessKey })
}

process.once('disconnect', () => process.exit())
main().catch((error) => {
  console.error(error)
  process.exit(1)
})
