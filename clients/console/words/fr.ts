import type { Words } from './words.ts'

export const fr: Words = {
  language: 'Français',
  languages: 'Langue',
  tagline: 'Chaque agent, chaque file et chaque exécution est un diagramme d’états durable.',
  signIn: {
    title: 'Se connecter',
    lead: 'Voyez ce que font vos agents.',
    submit: 'Se connecter',
    busy: 'Connexion en cours…',
    toRegister: 'Créer un compte',
    closed: 'Pas de compte ? N’importe quel utilisateur de ce serveur peut vous en créer un.',
  },
  register: {
    title: 'Créer un compte',
    firstTitle: 'Créer le premier compte',
    lead: 'Les inscriptions sont ouvertes sur ce serveur.',
    firstLead: 'Ce serveur est neuf. Le premier compte l’ouvre, et ferme les inscriptions derrière lui.',
    submit: 'Créer le compte',
    busy: 'Création du compte…',
    toSignIn: 'Se connecter à un compte existant',
    closedTitle: 'Les inscriptions sont fermées',
    closedLead: 'Demandez à un utilisateur de ce serveur de vous créer un compte ou d’ouvrir les inscriptions.',
  },
  provider: {
    signIn: 'Se connecter avec {provider}',
    register: 'Continuer avec {provider}',
    busy: 'En route vers {provider}…',
    or: 'ou',
  },
  fields: {
    name: 'Nom',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    passwordRule: 'De 8 à 128 caractères. Quelques mots à la suite sont sûrs et faciles à retenir.',
    show: 'Afficher le mot de passe',
    hide: 'Masquer le mot de passe',
  },
  problems: {
    wrongPassword: 'L’adresse e-mail ou le mot de passe est incorrect.',
    emailTaken: 'Un compte existe avec cette adresse e-mail. Connectez-vous-y, ou prenez une autre adresse.',
    registrationClosed: 'Les inscriptions sont fermées. Demandez un compte à un utilisateur de ce serveur.',
    wayTurnedOff: 'Ce moyen de connexion a été désactivé. Rechargez la page pour voir ceux qui restent.',
    rateLimited: 'Trop de tentatives. Réessayez {when}.',
    invalidOrigin:
      'Le serveur ne fait pas confiance à l’adresse par laquelle vous avez ouvert cette page. Ouvrez-la par son adresse publique, ou faites ajouter celle-ci à APP_ORIGINS.',
    unavailable: 'Le serveur ne peut pas le faire maintenant. Réessayez {when}.',
    disconnected:
      'Pas de connexion au serveur. Vérifiez la vôtre et réessayez ; ce que vous avez saisi est toujours là.',
    unknown:
      'Un problème est survenu sur le serveur. Réessayez ; s’il persiste, donnez le numéro {requestId} à son opérateur.',
    nameMissing: 'Saisissez votre nom.',
    emailMissing: 'Saisissez votre adresse e-mail.',
    emailInvalid: 'Saisissez une adresse e-mail complète, comme ada@example.com.',
    passwordMissing: 'Saisissez votre mot de passe.',
    passwordLength: 'Un mot de passe a de 8 à 128 caractères ; celui-ci en a {length}.',
    passwordGuessable:
      'Ce mot de passe serait vite deviné : il est courant, ou n’est guère plus que votre nom ou votre adresse. Choisissez-en un autre.',
    accessDenied: 'Le fournisseur ne vous a pas laissé entrer, ou vous avez changé d’avis. Vous pouvez réessayer.',
    signInFailed: 'La connexion n’a pas abouti. Réessayez ; si cela persiste, le journal du serveur dit pourquoi.',
    providerFailed:
      'La réponse du fournisseur est inutilisable. Réessayez ; si cela persiste, le journal du serveur dit pourquoi.',
    providerUnavailable: 'Le fournisseur ne répond pas. Réessayez dans un instant.',
    providerEmailMissing:
      'Le fournisseur n’a pas donné d’adresse e-mail, or un compte en a besoin. Ajoutez-en une chez lui et réessayez.',
    accountExists:
      'Un autre compte a votre adresse e-mail, et cela seul ne les réunit pas. Connectez-vous comme auparavant.',
    accountDisabled: 'Votre compte est désactivé. Un utilisateur de ce serveur peut l’activer.',
    flowUnknown: 'Cette connexion a été commencée ailleurs, ou une plus récente l’a été. Recommencez.',
    flowExpired: 'Cette connexion a pris plus de dix minutes. Recommencez.',
    notFound: 'Il n’y a pas de page à cette adresse. Elle a peut-être été mal saisie.',
    notNow: 'Le serveur n’atteint pas sa base de données en ce moment. Rien n’est perdu ; réessayez sous peu.',
  },
  problemPages: { notFound: 'Aucune page ici', notNow: 'Pas en ce moment', failed: 'Cela n’a pas marché' },
  toHome: 'Aller à Signalbox',
  noScript: 'La connexion nécessite JavaScript. Activez-le pour cette page, puis rechargez-la.',
  requestId: 'Requête {requestId}',
}
