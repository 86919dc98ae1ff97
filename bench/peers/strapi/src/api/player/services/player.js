module.exports = require('@strapi/strapi').factories.createCoreService('api::player.player')
