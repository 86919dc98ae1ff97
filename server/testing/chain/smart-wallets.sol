// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A wallet of several owners: accepts their signatures one after another (ERC-1271), as Safe does.
contract SharedWallet {
    address[] private owners;

    constructor(address[] memory owners_) {
        owners = owners_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signatures) external view returns (bytes4) {
        require(signatures.length == 65 * owners.length, "one signature an owner");
        for (uint256 i = 0; i < owners.length; i++) {
            bytes calldata one = signatures[65 * i:65 * (i + 1)];
            address signer = ecrecover(hash, uint8(one[64]), bytes32(one[:32]), bytes32(one[32:64]));
            if (signer == address(0) || signer != owners[i]) return 0xffffffff;
        }
        return 0x1626ba7e;
    }
}

/// Accepts messages that were approved on the chain before, whose signature is empty.
contract ApprovingWallet {
    mapping(bytes32 => bool) private approved;

    function approve(bytes32 hash) external {
        approved[hash] = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return signature.length == 0 && approved[hash] ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Says yes to everything, but not in the word that means yes.
contract CarelessWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bool) {
        return true;
    }
}

/// The word that means yes, with something after it in the same word.
contract PaddedWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes32) {
        return bytes32(bytes4(0x1626ba7e)) | bytes32(uint256(1));
    }
}

/// Answers no calls that it does not know, and that is all of them.
contract DeafWallet {}

/// Takes every call and answers nothing.
contract SilentWallet {
    fallback() external {}
}
