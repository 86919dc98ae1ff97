module.exports = require('@strapi/strapi').factories.createCoreController('api::player.player')
