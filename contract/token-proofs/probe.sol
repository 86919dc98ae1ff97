// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Router {
    function getAmountsOut(uint256 amountIn, address[] calldata path) external view returns (uint256[] memory);
    function swapExactETHForTokensSupportingFeeOnTransferTokens(
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external payable;
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external;
}

interface Token {
    function balanceOf(address holder) external view returns (uint256);
}

/// Buys a token with the coins of the transaction, sends a quarter of what arrived to `recipient`, and sells
/// half of what is left for the wrapped coin, then the rest, which a token that only claims a balance cannot
/// hand over. Never exists on a chain: eth_call runs the constructor, which returns eleven words: the tokens
/// promised, bought, sent and received; what both sales returned; and 1 if the purchase succeeded.
contract TaxProbe {
    constructor(Router router, address[] memory path, address recipient) payable {
        uint256[11] memory words;
        address token = path[path.length - 1];
        uint256[] memory amounts = router.getAmountsOut(msg.value, path);
        words[0] = amounts[path.length - 1];
        uint256 balanceBefore = balanceOf(token, address(this));
        try router.swapExactETHForTokensSupportingFeeOnTransferTokens{value: msg.value}(
            0, path, address(this), type(uint256).max
        ) {
            words[1] = balanceOf(token, address(this)) - balanceBefore;
            (words[2], words[3]) = send(token, recipient, words[1] / 4);
            uint256 left = words[1] - words[2];
            (words[4], words[5], words[6]) = sell(router, path, left / 2);
            // Smaller by what may be missing without being a tax.
            (words[7], words[8], words[9]) = sell(router, path, left - left / 2 - words[1] / 20_000);
            words[10] = 1;
        } catch {}
        assembly {
            return(words, 352) // 11 words of 32 bytes
        }
    }

    /// The amount that could be sent, and how much of it arrived.
    function send(address token, address recipient, uint256 amount) private returns (uint256, uint256) {
        uint256 before = balanceOf(token, recipient);
        bool sent = succeeds(token, abi.encodeWithSignature("transfer(address,uint256)", recipient, amount));
        return (sent ? amount : 0, balanceOf(token, recipient) - before);
    }

    /// The coins promised for the amount, whether it could be sold (1 or 0), and what a plain account got.
    function sell(Router router, address[] memory path, uint256 amount)
        private
        returns (uint256, uint256, uint256)
    {
        address token = path[path.length - 1];
        address[] memory reversePath = new address[](path.length);
        for (uint256 i = 0; i < path.length; i++) reversePath[i] = path[path.length - 1 - i];
        uint256 promised = router.getAmountsOut(amount, reversePath)[path.length - 1];
        if (!succeeds(token, abi.encodeWithSignature("approve(address,uint256)", router, amount))) {
            return (promised, 0, 0);
        }
        uint256 before = balanceOf(path[0], msg.sender);
        try router.swapExactTokensForTokensSupportingFeeOnTransferTokens(
            amount, 0, reversePath, msg.sender, type(uint256).max
        ) {
            return (promised, 1, balanceOf(path[0], msg.sender) - before);
        } catch {
            return (promised, 0, 0);
        }
    }

    function balanceOf(address token, address holder) private view returns (uint256) {
        return Token(token).balanceOf(holder);
    }

    /// Whether a call succeeds. Some tokens return nothing.
    function succeeds(address token, bytes memory data) private returns (bool) {
        (bool ok, bytes memory answer) = token.call(data);
        return ok && (answer.length == 0 || abi.decode(answer, (bool)));
    }
}
