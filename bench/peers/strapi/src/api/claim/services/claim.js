module.exports = require('@strapi/strapi').factories.createCoreService('api::claim.claim')
