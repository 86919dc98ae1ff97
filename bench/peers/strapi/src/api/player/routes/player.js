module.exports = require('@strapi/strapi').factories.createCoreRouter('api::player.player')
